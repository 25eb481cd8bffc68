// When files follow the store, also after a daemon that died between storing a step and showing it. tmux is not
// started: what is queued stays queued.
import { readFileSync } from 'node:fs'
import { expect, onTestFinished, test, vi } from 'vitest'
import { asRunId, type TaskId } from '../../src/domain/ids.ts'
import { mergeConfig } from '../../src/domain/merge-config.ts'
import type { Core } from '../../src/supervisor/core.ts'
import { createTask } from '../../src/supervisor/create-task.ts'
import { showStart, showStored } from '../../src/supervisor/show-task.ts'
import { watchTask } from '../../src/supervisor/watch-task.ts'
import { startCore } from '../helpers/core-world.ts'
import { storeLaunch } from '../helpers/stored-launch.ts'
import { waitFor } from '../helpers/wait-for.ts'

/** A task that ran, as its files say, and went back to the queue, as only the store knows. */
async function queuedAgainUnseen() {
  const world = await startCore()
  const { core, clock, request } = world
  const { id } = await createTask(request('work'), mergeConfig([]).config, core)
  const runId = asRunId(core.ids.run())
  await storeLaunch(id, runId, core)
  await showStored(id, core)
  const at = clock.now()
  await core.store.record({
    run: { id: runId, from: 'launching', event: 'voided', set: { endedAt: at } },
    task: {
      id,
      from: 'running',
      event: 'requeued',
      reason: 'once more',
      evidence: [],
      at,
      set: { runId: null },
    },
  })
  const shown = () => statusShown(id, core)
  expect(await shown()).toBe('RUNNING')
  return { ...world, id, shown }
}

async function statusShown(id: TaskId, core: Core): Promise<string> {
  const task = (await core.store.task(id))!
  return JSON.parse(readFileSync(`${core.handoff.paths(task).view}/state.json`, 'utf8')).status
}

test('the next daemon shows what its predecessor had stored', async () => {
  const { supervisor, shown } = await queuedAgainUnseen()
  await supervisor.start()
  await waitFor('the files to follow', async () => (await shown()) === 'CREATED')
  await supervisor.stop()
})

test('a store that does not answer then does not end the daemon', async () => {
  const { supervisor, core } = await queuedAgainUnseen()
  const failure = vi.fn(() => Promise.reject(new Error('locked')))
  core.store.queue = failure
  await supervisor.start()
  await waitFor('the question', () => failure.mock.calls.length > 0)
  await supervisor.stop()
})

test('a daemon that stops leaves no file behind what is stored', async () => {
  const { supervisor, core, id, shown } = await queuedAgainUnseen()
  core.laterShows.add(id)
  await supervisor.stop()
  expect(await shown()).toBe('CREATED')
})

test('a start is shown at once, unless the files still say that it runs', async () => {
  const { core, id, shown } = await queuedAgainUnseen()
  const runId = asRunId(core.ids.run())
  await showStored(id, core)
  await storeLaunch(id, runId, core, { number: 2 })
  const watch = await watchTask(id, runId, core)
  onTestFinished(watch.stopWatching)
  core.laterShows.add(id)
  await showStart(watch, core)
  expect(await shown()).toBe('CREATED')
  core.laterShows.remove(id)
  await showStart(watch, core)
  expect(await shown()).toBe('RUNNING')
})
