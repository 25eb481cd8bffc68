import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { moveTask } from '../../../src/changes/move-task.ts'
import { asRunId, type TaskId } from '../../../src/domain/names/ids.ts'
import { mergeConfig } from '../../../src/domain/settings/merge-config.ts'
import { createTask } from '../../../src/supervisor/starting/create-task.ts'
import { watchTask } from '../../../src/supervisor/task/watch-task.ts'
import { archiveTask } from '../../../src/supervisor/upkeep/archive-tasks.ts'
import { checkDisk, diskOfAll } from '../../../src/supervisor/upkeep/disk-quota.ts'
import { startCore } from '../../helpers/core-world.ts'
import { storeLaunch } from '../../helpers/stored-launch.ts'

const MB = 1024 * 1024
const RUN = asRunId('0193a1b2-0000-7000-8000-000000000001')
type World = Awaited<ReturnType<typeof startCore>>

/** A task that works and ends before the watchdog has looked at it, with this much on disk. */
async function endsUnmeasured(
  { core, home, request }: World,
  number: number,
  bytes: number,
): Promise<TaskId> {
  const { id } = await createTask(request('x'), mergeConfig([]).config, core)
  const runId = asRunId(`0193a1b2-0000-7000-8000-00000000000${number}`)
  await storeLaunch(id, runId, core)
  mkdirSync(home.run(runId))
  writeFileSync(join(home.run(runId), 'events.jsonl'), Buffer.alloc(bytes, 1))
  const at = core.clock.now()
  await core.commit({
    run: { id: runId, from: 'launching', event: 'lost', set: { endedAt: at } },
    task: moveTask({
      ...{ id, from: 'running', event: 'failed', reason: '', evidence: [], at },
      set: { endedAt: at },
    }),
  })
  return id
}

test('a task that ended after the tasks at rest were measured counts in the total', async () => {
  const world = await startCore()
  await checkDisk(world.core)
  const id = await endsUnmeasured(world, 1, 4 * MB)
  await checkDisk(world.core)
  expect(diskOfAll(world.core).bytes).toBeGreaterThan(4 * MB)
  await archiveTask(id, 'me', world.core)
  expect(diskOfAll(world.core).bytes).toBe(0)
})

test('a task that is archived before it was measured does not count', async () => {
  const world = await startCore()
  await checkDisk(world.core)
  await archiveTask(await endsUnmeasured(world, 1, 4 * MB), 'me', world.core)
  await checkDisk(world.core)
  expect(diskOfAll(world.core).bytes).toBe(0)
})

test('a task at its limit is ended, and named the directory that takes most', async () => {
  const world = await startCore({ 'disk.warn': MB, 'disk.limit': 4 * MB })
  const { core, home, request } = world
  const { id } = await createTask(request('x'), mergeConfig([]).config, core)
  await storeLaunch(id, RUN, core)
  mkdirSync(home.run(RUN))
  const watch = await watchTask(id, RUN, core)
  onTestFinished(() => watch.stopWatching())
  writeFileSync(join(home.run(RUN), 'events.jsonl'), Buffer.alloc(2 * MB, 1))
  await checkDisk(core)
  const [warned] = await core.store.audits({ kind: 'quota_warning' })
  expect(warned?.detail).toMatch(new RegExp(`more than 1MB, most of it in ${home.run(RUN)}$`))
  writeFileSync(join(core.handoff.paths(watch.task).view, 'big'), Buffer.alloc(3 * MB, 1))
  await checkDisk(core)
  expect(watch.task.stop?.reason).toBe(
    `Disk limit: it takes 5 MB, at most 4MB are allowed; most of it is in ${core.handoff.paths(watch.task).view}`,
  )
})

test('of many tasks that ended at once, a few are measured per call, and all in the end', async () => {
  const world = await startCore()
  await checkDisk(world.core)
  for (let number = 1; number <= 7; number++) await endsUnmeasured(world, number, MB)
  await checkDisk(world.core)
  expect(world.core.upkeep.sizes.size).toBe(5)
  await checkDisk(world.core)
  expect(world.core.upkeep.sizes.size).toBe(7)
})
