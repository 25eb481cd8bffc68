// The whole path with each real agent: `holdfast run`, a daemon killed in the middle, a result in the handoff directory.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { LinuxProcesses } from '../../src/system/processes/processes.ts'
import { waitFor } from '../helpers/wait-for.ts'
import { driverOf, kindsThat, worldWith } from './daemon-world.ts'
import { useLab } from './lab.ts'

const lab = useLab()
const kinds = kindsThat(() => true)

test.each(kinds)('%s writes a file and hands over its result', async (kind) => {
  const { world, run } = await worldWith(kind, lab)
  const id = await run('DO:write{made.txt}')
  const task = await world.untilStatus(id, 'COMPLETED', 100_000)
  expect(readFileSync(join(lab.project, 'made.txt'), 'utf8')).toBe('written by the lab\n')
  expect(JSON.parse(readFileSync(task.result_file, 'utf8'))).toMatchObject({
    status: 'success',
    result: 'The work is done.',
  })
  expect(task.agent_session_id).toMatch(driverOf(kind).sessionIdPattern)
  expect(await world.ok(['logs', id])).toContain('The work is done.')
  expect((await new LinuxProcesses().carrying([task.run_id!])).get(task.run_id!)).toEqual([])
})

test.each(kinds)('%s works on while the daemon is killed, and is adopted', async (kind) => {
  const { world, run } = await worldWith(kind, lab)
  const id = await run('DO:shell{python3 -c "import time; time.sleep(5) # tool of the lab"}', 'full')
  await waitFor('the tool to run', () => isRunning('time.sleep(5) # tool of the lab'), 60_000)
  const before = await world.status(id)
  await world.killDaemon()
  const task = await world.untilStatus(id, 'COMPLETED', 100_000)
  expect(task.run_id).toBe(before.run_id)
  expect(await world.ok(['logs', id])).toContain('The work is done.')
})

/** The tool itself, not the agent that was told of it. */
const isRunning = (words: string) =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .some((pid) => {
      try {
        const [program, ...args] = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
        return program!.includes('python') && args.join(' ').includes(words)
      } catch {
        return false
      }
    })
