import { chmodSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { asRunId } from '../../src/domain/names/ids.ts'
import { inPhase } from '../builders/phases.ts'
import { moved } from '../builders/task.ts'
import { handoffWorld, info, openFilesOf, text } from './handoff-world.ts'

/** Root may write everywhere, so it becomes nobody for a moment. */
async function asNobody<T>(work: () => Promise<T>): Promise<T> {
  if (process.getuid?.() !== 0) return work()
  process.seteuid?.(65534)
  try {
    return await work()
  } finally {
    process.seteuid?.(0)
  }
}

test('a home that cannot be written is a clear error, and nothing is left in the project', async () => {
  const { handoff, task, dir, home, project } = handoffWorld()
  mkdirSync(home.home)
  chmodSync(dir, 0o755)
  chmodSync(home.home, 0o555)
  const refused = asNobody(() => handoff.create(task, {}))
  await expect(refused).rejects.toMatchObject({
    code: 'HOME_NOT_WRITABLE',
    message: expect.stringContaining(home.home),
  })
  expect(readdirSync(project)).toEqual([])
  chmodSync(home.home, 0o755)
})

test('a home that became read-only is a clear error for every write', async () => {
  const { handoff, task, dir, originals } = handoffWorld()
  await handoff.create(task, {})
  chmodSync(dir, 0o755)
  chmodSync(originals, 0o555)
  const writes: (() => Promise<unknown>)[] = [
    () => handoff.writeState(moved(task, inPhase.working())),
    () => handoff.writeResult(task, '{}'),
    () => handoff.writeScreen(task, 'x'),
    () => handoff.keepClock(task, { runId: asRunId('run-1'), clock: '10:00:00' }),
    () => handoff.log(task, [info('x')]),
    () => handoff.appendOutput(task, 0, 'x'),
  ]
  for (const write of writes)
    await expect(asNobody(write)).rejects.toMatchObject({ code: 'HOME_NOT_WRITABLE' })
  chmodSync(originals, 0o700)
})

test('a file where the home should be is a clear error', async () => {
  const { handoff, task, home } = handoffWorld()
  writeFileSync(home.home, '')
  await expect(handoff.create(task, {})).rejects.toMatchObject({ code: 'HOME_NOT_WRITABLE' })
})

test.each(['output.log', 'session.log'])('a full disk under %s is a clear error', async (name) => {
  const { handoff, task, originals, dir } = handoffWorld()
  await handoff.create(task, {})
  await handoff.finishDraft(task)
  const fds = openFilesOf({ dir })
  rmSync(`${originals}/${name}`)
  symlinkSync('/dev/full', `${originals}/${name}`)
  const write = name === 'output.log' ? handoff.appendOutput(task, 0, 'x') : handoff.log(task, [info('x')])
  await expect(write).rejects.toMatchObject({ code: 'DISK_FULL' })
  expect(openFilesOf({ dir })).toBe(fds)
})

test('a full disk leaves no half-written state behind', async () => {
  const { handoff, task, originals } = handoffWorld()
  await handoff.create(task, {})
  await handoff.finishDraft(task)
  const before = text(`${originals}/state.json`)
  symlinkSync('/dev/full', `${originals}/.state.json.tmp`)
  await expect(handoff.writeState(moved(task, inPhase.working()))).rejects.toMatchObject({
    code: 'DISK_FULL',
  })
  expect(text(`${originals}/state.json`)).toBe(before)
  expect(readdirSync(originals)).not.toContain('.state.json.tmp')
  await handoff.writeState(moved(task, inPhase.working()))
  expect(text(`${originals}/state.json`)).toContain('RUNNING')
})
