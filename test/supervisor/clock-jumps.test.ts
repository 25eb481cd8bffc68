// A wall clock that is set two hours on or back, and a machine that slept so long: pauses, limits and working time.
import { spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import { moveTask } from '../../src/changes/move-task.ts'
import { asRunId } from '../../src/domain/names/ids.ts'
import { mergeConfig } from '../../src/domain/settings/merge-config.ts'
import type { Phase } from '../../src/domain/task/machine.ts'
import type { Gate } from '../../src/ports/store/gates.ts'
import { createTask } from '../../src/supervisor/starting/create-task.ts'
import { superviseOnce } from '../../src/supervisor/supervise-once.ts'
import { watchTask } from '../../src/supervisor/task/watch-task.ts'
import { aGate } from '../builders/gate.ts'
import { GO_ON } from '../builders/phases.ts'
import { aRunDraft } from '../builders/run.ts'
import { startCore } from '../helpers/core-world.ts'
import { waitFor } from '../helpers/wait-for.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const runId = asRunId('run-1')

/** A task whose run is over and that waits, under a supervisor that looks often. */
async function waiting(
  event: 'backed_off' | 'parked',
  until: number,
  gate?: Gate,
  config = mergeConfig([]).config,
) {
  const world = await startCore({ 'reconcile.interval': 20 })
  const { supervisor, core, clock, request } = world
  const task = await createTask(request('x'), config, core)
  const at = clock.now()
  const moved = { id: task.id, reason: '', evidence: [], at } as const
  const phase =
    event === 'parked'
      ? ({ event, until, gate: gate?.key ?? null, goOn: GO_ON } as const)
      : ({ event, until, goOn: GO_ON } as const)
  await core.store.commit({
    newRun: aRunDraft(task.id, { id: runId, createdAt: at }),
    task: moveTask({ ...moved, from: 'pending', event: 'launched', set: { runId } }),
  })
  await core.store.commit({
    run: { id: runId, from: 'launching', event: 'lost', set: { endedAt: at } },
    task: moveTask({ ...moved, from: 'running', ...phase }),
    ...(gate === undefined ? {} : { gate: { ...gate, since: at, failed: [{ id: task.id, asCanary: 0 }] } }),
  })
  await supervisor.start()
  onTestFinished(() => supervisor.stop())
  const phaseNow = async () => (await core.store.task(task.id))!.phase
  const becomes = (wanted: Phase) => waitFor(`it to be ${wanted}`, async () => (await phaseNow()) === wanted)
  let looks = 0
  const { waiting: whoWaits } = core.store
  core.store.waiting = () => {
    looks++
    return whoWaits()
  }
  /** Several looks at whoever waits have begun and, but for the last, ended. */
  const later = async () => {
    const before = looks
    await waitFor('some looks', () => looks > before + 5)
  }
  return { ...world, task, phase: phaseNow, becomes, later }
}

test('a pause that ended while the machine slept, or by a clock set on, is over at the next look', async () => {
  const { clock, phase, becomes, later } = await waiting('backed_off', Date.now() + 8 * MINUTE)
  await later()
  expect(await phase()).toBe('backing_off')
  clock.wall += 2 * HOUR
  await becomes('queued')
})

test('a pause is not two hours longer because the clock was set back', async () => {
  const { clock, becomes } = await waiting('backed_off', Date.now() + 8 * MINUTE)
  clock.wall -= 2 * HOUR
  await becomes('queued')
})

test.each([
  ['a pause', 'backed_off', undefined],
  ['an environment that failed', 'parked', 'environment'],
] as const)(
  '%s lasts as long as the project’s own settings say, not only the daemon’s cap',
  async (_, event, kind) => {
    const until = Date.now() + 3 * HOUR
    const gate = kind && aGate({ key: kind, kind, until })
    const patient = { ...mergeConfig([]).config, 'backoff.base': 3 * MINUTE, 'backoff.cap': 5 * HOUR }
    const { clock, phase, becomes, later } = await waiting(event, until, gate, patient)
    const asLeft = await phase()
    await later()
    expect(await phase()).toBe(asLeft)
    clock.wall -= 4 * HOUR
    await becomes('queued')
  },
)

test('a limit is over when its own time has come, by the clock as it is', async () => {
  const until = Date.now() + HOUR
  const world = await waiting('parked', until)
  world.clock.wall -= 2 * HOUR
  await world.later()
  expect(await world.phase()).toBe('parked')
  world.clock.wall += 4 * HOUR
  await world.becomes('queued')
})

test('what the environment closed does not stay closed for two hours because the clock was set back', async () => {
  const until = Date.now() + MINUTE
  const world = await waiting('parked', until, aGate({ key: 'environment', kind: 'environment', until }))
  await world.later()
  expect(await world.phase()).toBe('parked')
  world.clock.wall -= 2 * HOUR
  await world.becomes('queued')
})

/** A run with a real process, in its tenth minute. */
async function atWork(maxDurationMs: number | null) {
  const world = await startCore()
  const { core, clock, request } = world
  let mono = clock.monotonic()
  clock.monotonic = () => mono
  const task = await createTask({ ...request('x'), maxDurationMs }, mergeConfig([]).config, core)
  const child = spawn('sleep', ['600'])
  onTestFinished(() => void child.kill('SIGKILL'))
  const startTicks = Number(readFileSync(`/proc/${child.pid}/stat`, 'utf8').split(' ')[21])
  const at = clock.now()
  const start = { pid: child.pid!, startTicks, bootId: core.processes.bootId, liveSinceMono: mono }
  const moved = { id: task.id, reason: '', evidence: [], at } as const
  await core.store.commit({
    newRun: aRunDraft(task.id, { id: runId, createdAt: at }),
    task: moveTask({ ...moved, from: 'pending', event: 'launched', set: { runId } }),
  })
  await core.store.commit({
    run: { id: runId, from: 'launching', event: 'started', set: start },
    task: moveTask({ ...moved, from: 'running', event: 'agent_started' }),
  })
  const watch = await watchTask(task.id, runId, core)
  onTestFinished(() => watch.stopWatching())
  const work = (ms: number) => {
    mono += ms
  }
  work(10 * MINUTE)
  const look = async () => {
    await superviseOnce(task.id, core)
    return (await core.store.task(task.id))!
  }
  const hasExited = (atMs: number, code: number) =>
    writeFileSync(
      `${world.home.exits}/${runId}.json`,
      JSON.stringify({ code, signal: null, at: atMs, boot_id: core.processes.bootId }),
    )
  return { ...world, child, work, look, hasExited }
}

test.each([
  ['set on', 2 * HOUR],
  ['set back', -2 * HOUR],
])(
  'a clock %s by two hours, or a sleep, is no working time: max_duration counts what was worked',
  async (_, jump) => {
    const { clock, work, look } = await atWork(HOUR)
    clock.wall += jump
    expect((await look()).stop).toBeNull()
    work(49 * MINUTE)
    expect((await look()).stop).toBeNull()
    work(2 * MINUTE)
    expect((await look()).stop).toMatchObject({ kind: 'timeout' })
  },
)

test('a death after a long sleep is not past its deadline', async () => {
  const { clock, child, work, look } = await atWork(null)
  clock.wall += 6 * HOUR
  child.kill('SIGKILL')
  await new Promise((exited) => child.once('exit', exited))
  // The record of its exit may still come.
  await look()
  work(3000)
  const { status, retries, workedMs } = await look()
  expect({ status, retries }).toEqual({ status: 'pending', retries: 1 })
  expect(workedMs).toBeLessThan(HOUR)
})

test('an agent that ended while nobody looked ended then, and has not worked since', async () => {
  const { clock, core, work, look, hasExited } = await atWork(null)
  clock.wall += 10 * MINUTE
  const endedAt = clock.now()
  hasExited(endedAt, 1)
  clock.wall += 6 * HOUR
  work(6 * HOUR)
  // Its deadline of five hours has not passed: it is brought back.
  expect(await look()).toMatchObject({ status: 'pending', retries: 1, workedMs: 10 * MINUTE })
  expect(await core.store.run(runId)).toMatchObject({ state: 'exited', endedAt })
})

test.each([
  ['before its run began', -HOUR, 0],
  ['in the future', HOUR, 10 * MINUTE],
])('an exit record of %s, by a clock that was set, gives no impossible time', async (_, off, expected) => {
  const { clock, core, look, hasExited } = await atWork(null)
  const began = clock.now()
  clock.wall += 10 * MINUTE
  hasExited(clock.now() + off, 1)
  await look()
  expect((await core.store.run(runId))!.endedAt).toBe(began + expected)
})
