import { existsSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import { moveTask } from '../../../src/changes/move-task.ts'
import { asRunId, type RunId, type TaskId } from '../../../src/domain/names/ids.ts'
import { mergeConfig } from '../../../src/domain/settings/merge-config.ts'
import { createTask } from '../../../src/supervisor/starting/create-task.ts'
import { watchTask } from '../../../src/supervisor/task/watch-task.ts'
import { archiveTask } from '../../../src/supervisor/upkeep/archive-tasks.ts'
import { forgetOldRows, removeUnneededFiles } from '../../../src/supervisor/upkeep/retention.ts'
import { watchdog } from '../../../src/supervisor/upkeep/watchdog.ts'
import { isQuarantined, noteLastDeath, trySuspects } from '../../../src/supervisor/watching/quarantine.ts'
import { startCore } from '../../helpers/core-world.ts'
import { storeLaunch } from '../../helpers/stored-launch.ts'
import { noteDaemonDeath } from '../../store/writes.ts'

const DAY_MS = 86_400_000
const [RUN_1, RUN_2, STRAY] = ['1', '2', 'f'].map((n) =>
  asRunId(`0193a1b2-0000-7000-8000-00000000000${n}`),
) as [RunId, RunId, RunId]
type World = Awaited<ReturnType<typeof startCore>>

async function launched({ core, home, request }: World, runId: RunId): Promise<TaskId> {
  const { id } = await createTask(request('x'), mergeConfig([]).config, core)
  await storeLaunch(id, runId, core)
  mkdirSync(home.run(runId))
  writeFileSync(`${home.exits}/${runId}.json`, '{}')
  return id
}

async function ended(world: World, runId: RunId): Promise<TaskId> {
  const id = await launched(world, runId)
  const at = world.core.clock.now()
  await world.core.store.commit({
    run: { id: runId, from: 'launching', event: 'lost', set: { endedAt: at } },
    task: moveTask({
      ...{ id, from: 'running', event: 'failed', reason: '', evidence: [], at },
      set: { endedAt: at },
    }),
  })
  return id
}

/** As if nothing had changed there for long. */
function age(...paths: string[]) {
  for (const path of paths) utimesSync(path, 0, 0)
}

test('files of an archived run go after retention.runs, those of one that is shown stay', async () => {
  const world = await startCore()
  const { core, clock, home } = world
  const archived = await ended(world, RUN_1)
  await ended(world, RUN_2)
  await archiveTask(archived, 'me', core)
  clock.wall += 29 * DAY_MS
  await removeUnneededFiles(core)
  expect(existsSync(home.run(RUN_1))).toBe(true)
  clock.wall += 2 * DAY_MS
  core.upkeep.kept = []
  await removeUnneededFiles(core)
  expect([RUN_1, RUN_2].map((run) => existsSync(home.run(run)))).toEqual([false, true])
  expect(existsSync(`${home.exits}/${RUN_1}.json`)).toBe(false)
  expect(await core.store.audits({ kind: 'orphan_found' })).toEqual([])
  await forgetOldRows(core)
  expect(await core.store.run(RUN_1)).toBeDefined()
})

test('events that a subscriber has not handled are kept three times as long, and people are told once a day', async () => {
  const { core, clock } = await startCore()
  const keptMs = core.config['retention.events']!
  await core.store.takeSubscriber('slow', clock.now())
  await core.commit({ event: { at: clock.now(), kind: 'server_started', taskId: null, data: {} } })
  const first = await core.store.lastSeq()
  const told = async () =>
    (await core.store.events(0, 99)).flatMap((one) => (one.kind === 'pruning_held' ? [one.data] : []))
  await forgetOldRows(core)
  expect([core.upkeep.heldBy, await told()]).toEqual([[], []])
  clock.wall += keptMs + 1
  for (let n = 0; n < 3; n++) await forgetOldRows(core)
  expect([core.upkeep.heldBy, await told()]).toEqual([['slow'], [{ subscribers: ['slow'] }]])
  expect(await core.store.audits({ kind: 'pruning_held' })).toMatchObject([{ detail: 'slow' }])
  clock.wall += DAY_MS + 1
  await forgetOldRows(core)
  expect(await told()).toHaveLength(2)
  clock.wall += 2 * keptMs
  await forgetOldRows(core)
  expect((await core.store.events(0, 99)).some(({ seq }) => seq === first)).toBe(false)
})

test('files that belong to nothing are told of one time when they are no longer new, and removed a retention later', async () => {
  const { core, clock, home } = await startCore()
  mkdirSync(home.run(STRAY))
  const round = async () => {
    core.upkeep.kept = []
    core.upkeep.orphans = undefined
    await removeUnneededFiles(core)
  }
  await round()
  expect(await core.store.audits({ kind: 'orphan_found' })).toEqual([])
  age(home.run(STRAY))
  await round()
  await round()
  expect(await core.store.audits({ kind: 'orphan_found' })).toHaveLength(1)
  clock.wall += 29 * DAY_MS
  await round()
  expect(existsSync(home.run(STRAY))).toBe(true)
  clock.wall += 2 * DAY_MS
  await round()
  expect(existsSync(home.run(STRAY))).toBe(false)
  expect(await core.store.audits({ kind: 'orphan_removed' })).toHaveLength(1)
})

test('a run that is handled in peace after a daemon’s death is no suspect any more', async () => {
  const world = await startCore()
  const { core } = world
  const id = await launched(world, RUN_1)
  for (let death = 1; death <= 3; death++) {
    core.handling.enter(RUN_1)
    await noteLastDeath(core)
    expect(core.handling.left()).toEqual([])
    const watch = await watchTask(id, RUN_1, core)
    expect(watch.run.daemonDeaths).toBe(1)
    const looked: string[] = []
    await trySuspects(core, async ({ task }) => void looked.push(task.id))
    expect(looked).toEqual([id])
    expect(watch.run.daemonDeaths).toBe(0)
    watch.stopWatching()
  }
})

test('at the third death without peace in between it is quarantined, once, and not looked at', async () => {
  const world = await startCore()
  const { core } = world
  const id = await launched(world, RUN_1)
  for (let death = 1; death <= 3; death++) await noteDaemonDeath(core.store, [RUN_1])
  const watch = await watchTask(id, RUN_1, core)
  onTestFinished(() => watch.stopWatching())
  const look = () => Promise.reject(new Error('looked'))
  await trySuspects(core, look)
  await trySuspects(core, look)
  expect(isQuarantined(watch.run)).toBe(true)
  expect(watch.task).toMatchObject({ status: 'waiting_input', phase: 'stuck' })
  expect(await core.store.openQuestions(id)).toMatchObject([{ ref: 'holdfast', options: ['retry', 'close'] }])
  expect(await core.store.audits({ kind: 'run_quarantined' })).toHaveLength(1)
})

test('a duty of the watchdog that fails is logged, and the watchdog goes on', async () => {
  const { core, home } = await startCore()
  for (let call = 0; call < 60; call++) await watchdog(core)
  expect(core.upkeep.calls).toBe(60)
  expect(existsSync(home.daemonLog)).toBe(false)
  mkdirSync(`${home.home}/logs`, { recursive: true })
  writeFileSync(`${home.orchestratorLog}.2025-11-18`, 'x')
  mkdirSync(`${home.orchestratorLog}.2025-11-18.gz.tmp`)
  for (let call = 0; call < 60; call++) await watchdog(core)
  expect(existsSync(home.daemonLog)).toBe(true)
  expect(core.upkeep.calls).toBe(120)
})
