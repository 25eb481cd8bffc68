// A run whose handling kills the daemon: here the killing is done from outside, each time while the breadcrumb names the run.
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { AuditEntryJson } from '../../src/protocol/json/daemon-json.ts'
import { isAlive } from '../helpers/is-alive.ts'
import { waitFor } from '../helpers/wait-for.ts'
import { startWorld, type World } from '../helpers/world.ts'

/** Much to read, so that the daemon is inside the run for long. */
const FLOOD_BYTES = 60_000_000

/** What the last daemon left there does not count: the next one takes note of it before it enters a run. */
const isInside = (world: World, runId: string, since: number) => {
  const path = join(world.home, 'handling')
  return statSync(path).mtimeMs > since && readFileSync(path, 'utf8').includes(runId)
}

/** Stops the daemon inside the run, sees that it is, and kills it there. Returns when it last wrote. */
async function killInside(world: World, runId: string, since: number): Promise<number> {
  const pid = await waitFor('a daemon inside the run', () => {
    try {
      const pid = world.daemonPid()
      if (!isAlive(pid) || !isInside(world, runId, since)) return undefined
      process.kill(pid, 'SIGSTOP')
      if (isInside(world, runId, since)) return pid
      process.kill(pid, 'SIGCONT')
    } catch {
      // Between two daemons.
    }
    return undefined
  })
  process.kill(pid, 'SIGKILL')
  await waitFor('it to be gone', () => !isAlive(pid))
  return statSync(join(world.home, 'handling')).mtimeMs
}

test('after three deaths inside a run it is left alone, its agent goes on, and a person decides', async () => {
  const world = await startWorld({ config: 'disk.limit: none\n' })
  const script = join(world.project, 'script')
  writeFileSync(script, `wait-for go\nflood ${FLOOD_BYTES}\nwrite flooded yes\nhang\n`)
  const id = await world.run(`do: script ${script}`)
  const other = await world.run('do: hang')
  await world.untilStatus(other, 'RUNNING')
  const { run_id } = await waitFor('it to work', async () => {
    const task = await world.status(id)
    return task.phase === 'working' && task
  })
  const runId = run_id!
  const first = world.daemonPid()
  process.kill(first, 'SIGSTOP')
  writeFileSync(join(world.project, 'go'), '')
  await waitFor('the flood', () => {
    try {
      return readFileSync(join(world.project, 'flooded'), 'utf8')
    } catch {
      return undefined
    }
  })
  process.kill(first, 'SIGCONT')
  let since = await killInside(world, runId, 0)
  for (let death = 2; death <= 3; death++) {
    const up = world.start(['up'])
    since = await killInside(world, runId, since)
    up.kill('SIGKILL')
  }

  await world.ok(['up'])
  const task = await world.status(id)
  expect(task).toMatchObject({ task_status: 'waiting_input', phase: 'stuck', run_id: runId })
  expect(task.reason).toContain('the daemon died 3 times')
  expect(task.questions).toMatchObject([{ options: ['retry', 'close'] }])
  expect((await world.status(other)).phase).toBe('working')
  const { entries } = await world.json<{ entries: AuditEntryJson[] }>(['audit', '--kind', 'run_quarantined'])
  expect(entries).toMatchObject([{ session_id: id }])
  const agent = Number(readFileSync(join(world.home, 'runs', runId, 'pid'), 'utf8').split(' ')[0])
  expect(isAlive(agent)).toBe(true)

  writeFileSync(script, 'finish better now\n')
  await world.ok(['answer', id, 'retry'])
  const done = await world.untilStatus(id, 'COMPLETED')
  expect(done.run_id).not.toBe(runId)
  expect(isAlive(agent)).toBe(false)
  expect((await world.status(other)).phase).toBe('working')
}, 120_000)
