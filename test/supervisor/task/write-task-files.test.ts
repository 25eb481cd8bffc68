// When files follow the store, also after a daemon that died between storing a step and showing it. tmux is not
// started: what is queued stays queued.
import { readFileSync } from 'node:fs'
import { expect, onTestFinished, test, vi } from 'vitest'
import { moveTask } from '../../../src/changes/move-task.ts'
import { asRunId, type TaskId } from '../../../src/domain/names/ids.ts'
import { mergeConfig } from '../../../src/domain/settings/merge-config.ts'
import { createTask } from '../../../src/supervisor/starting/create-task.ts'
import type { Core } from '../../../src/supervisor/task/core.ts'
import { writeTaskFiles } from '../../../src/supervisor/task/write-task-files.ts'
import { startCore } from '../../helpers/core-world.ts'
import { storeLaunch } from '../../helpers/stored-launch.ts'
import { waitFor } from '../../helpers/wait-for.ts'

/** A task that runs, as its files say. */
async function running() {
  const world = await startCore()
  const { core, request } = world
  const { id } = await createTask(request('work'), mergeConfig([]).config, core)
  const runId = asRunId(core.ids.run())
  await storeLaunch(id, runId, core)
  await writeTaskFiles(id, core)
  const shown = () => statusShown(id, core)
  expect(await shown()).toBe('running')
  const requeued = {
    run: { id: runId, from: 'launching', event: 'voided', set: { endedAt: core.clock.now() } },
    task: moveTask({
      id,
      from: 'running',
      event: 'requeued',
      goOn: null,
      reason: 'once more',
      evidence: [],
      at: core.clock.now(),
      set: { runId: null },
    }),
  } as const
  return { ...world, id, shown, requeued }
}

/** It went back to the queue, as only the store knows. */
async function queuedAgainUnseen() {
  const world = await running()
  await world.core.store.commit(world.requeued)
  expect(await world.shown()).toBe('running')
  return world
}

async function statusShown(id: TaskId, core: Core): Promise<string> {
  const task = (await core.store.task(id))!
  return JSON.parse(readFileSync(`${core.handoff.paths(task).view}/state.json`, 'utf8')).task_status
}

test('what is committed reaches the files by itself', async () => {
  const { core, supervisor, shown, requeued } = await running()
  onTestFinished(() => supervisor.stop())
  await core.commit(requeued)
  await waitFor('the files to follow', async () => (await shown()) === 'pending')
})

test('the next daemon shows what its predecessor had stored', async () => {
  const { supervisor, shown } = await queuedAgainUnseen()
  await supervisor.start()
  await waitFor('the files to follow', async () => (await shown()) === 'pending')
  await supervisor.stop()
})

test('a store that does not answer while the files catch up does not end the daemon', async () => {
  const { supervisor, core } = await queuedAgainUnseen()
  const failure = vi.fn(() => Promise.reject(new Error('locked')))
  core.store.queue = failure
  await supervisor.start()
  await waitFor('the question', () => failure.mock.calls.length > 0)
  await supervisor.stop()
})

test('a daemon that stops leaves no file behind what is stored', async () => {
  const { supervisor, core, shown, requeued } = await running()
  await core.commit(requeued)
  await supervisor.stop()
  expect(await shown()).toBe('pending')
})
