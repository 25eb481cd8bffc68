import { expect, test } from 'vitest'
import { asRunId } from '../../../src/domain/names/ids.ts'
import { sharedScan } from '../../../src/supervisor/kernel/shared-scan.ts'

function slowScans() {
  const scans: { runIds: readonly string[]; end: () => void }[] = []
  const findProcesses = sharedScan({
    carrying: (runIds) =>
      new Promise((resolve) =>
        scans.push({
          runIds,
          end: () => resolve(new Map(runIds.map((id) => [id, [{ pid: Number(id), startTicks: 1 }]]))),
        }),
      ),
  })
  return { scans, findProcesses: (id: number) => findProcesses(asRunId(String(id))) }
}

test('who asks while a scan is under way shares the next one, and everybody gets their own', async () => {
  const { scans, findProcesses } = slowScans()
  const first = findProcesses(1)
  await Promise.resolve()
  await Promise.resolve()
  const crowd = [2, 3, 4].map(findProcesses)
  scans[0]!.end()
  expect(await first).toEqual([{ pid: 1, startTicks: 1 }])
  await Promise.resolve()
  scans[1]!.end()
  expect(await Promise.all(crowd)).toEqual([2, 3, 4].map((pid) => [{ pid, startTicks: 1 }]))
  expect(scans.map(({ runIds }) => runIds)).toEqual([['1'], ['2', '3', '4']])
})
