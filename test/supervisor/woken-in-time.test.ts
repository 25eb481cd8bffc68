// A task whose agent died: how long it waits, when it is woken, and when its files tell.
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { TaskId } from '../../src/domain/names/ids.ts'
import { waitsUntil } from '../../src/domain/task/state.ts'
import { type CoreInTime, startCoreInTime } from '../helpers/core-in-time.ts'

const BACKOFF = { 'backoff.base': 60_000, 'backoff.cap': 600_000 }

/** After the first crash it is tried again at once; this is the second. */
async function crashedTwice(world: CoreInTime): Promise<TaskId> {
  const id = await world.creates('work')
  for (let crash = 0; crash < 2; crash++) {
    await world.agentStarts(id)
    await world.agentExits(id, { code: 1, stderr: 'Segmentation fault\n' })
  }
  return id
}

test('a crashed agent backs off, sleeps until its time, and is started again then, in a pane of its own', async () => {
  const world = await startCoreInTime(BACKOFF)
  const { clock, core, terminal, task } = world
  const id = await crashedTwice(world)
  const waiting = await task(id)
  expect(waiting).toMatchObject({ status: 'running', phase: 'backing_off', retries: 2 })
  const pauseMs = waitsUntil(waiting)! - clock.now()
  expect(pauseMs).toBeGreaterThan(30_000)
  await clock.pass(pauseMs - 1)
  expect((await task(id)).phase).toBe('backing_off')
  await clock.pass(1)
  const { runId, phase } = await task(id)
  expect(phase).toBe('starting')
  const runs = await core.store.runsOf(id)
  expect(runs.map(({ state }) => state)).toEqual(['exited', 'exited', 'launching'])
  expect(terminal.specOf(id).mark).toBe(runId)
})

test('its files, which go on saying that it runs, follow a fifth of a second after it backed off', async () => {
  const world = await startCoreInTime(BACKOFF)
  const { clock, task, core } = world
  const id = await crashedTwice(world)
  const view = core.handoff.paths(await task(id)).view
  const shown = () => JSON.parse(readFileSync(`${view}/state.json`, 'utf8')).phase
  expect((await task(id)).phase).toBe('backing_off')
  expect(shown()).not.toBe('backing_off')
  await clock.pass(199)
  expect(shown()).not.toBe('backing_off')
  await clock.pass(1)
  expect(shown()).toBe('backing_off')
})
