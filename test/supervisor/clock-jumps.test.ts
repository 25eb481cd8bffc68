// A wall clock that is set two hours on or back, and a machine that slept so long: pauses, limits and working time.
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import { asRunId } from '../../src/domain/ids.ts'
import { mergeConfig } from '../../src/domain/merge-config.ts'
import type { Phase } from '../../src/domain/task-machine.ts'
import type { Gate, TaskMove } from '../../src/ports/store-changes.ts'
import { createTask } from '../../src/supervisor/create-task.ts'
import { superviseOnce } from '../../src/supervisor/supervise-once.ts'
import { watchTask } from '../../src/supervisor/watch-task.ts'
import { startCore } from '../helpers/core-world.ts'
import { waitFor } from '../helpers/wait-for.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const runId = asRunId('run-1')

/** A task whose run is over and that waits, under a supervisor that looks often. */
async function waiting(event: 'backed_off' | 'parked', set: TaskMove['set'], gate?: Omit<Gate, 'since'>) {
  const world = await startCore({ 'reconcile.interval': 20 })
  const { supervisor, core, clock, request } = world
  const task = await createTask(request('x'), mergeConfig([]).config, core)
  const at = clock.now()
  const newRun = {
    id: runId,
    taskId: task.id,
    number: 1,
    createdAt: at,
    how: 'start',
    outputLength: 0,
    inputLength: 0,
  } as const
  const moved = { id: task.id, reason: '', evidence: [], at } as const
  await core.store.record({ newRun, task: { ...moved, from: 'pending', event: 'launched', set: { runId } } })
  await core.store.record({
    run: { id: runId, from: 'launching', event: 'lost', set: { endedAt: at } },
    task: { ...moved, from: 'running', event, set: { ...set, gate: gate?.key ?? null } },
    ...(gate === undefined ? {} : { gate: { ...gate, since: at } }),
  })
  await supervisor.start()
  onTestFinished(() => supervisor.stop())
  const phase = async () => (await core.store.task(task.id))!.phase
  const becomes = (wanted: Phase) => waitFor(`it to be ${wanted}`, async () => (await phase()) === wanted)
  /** Several looks later. */
  const later = () => new Promise((resolve) => setTimeout(resolve, 300))
  return { ...world, task, phase, becomes, later }
}

const gateOf = (kind: Gate['kind'], until: number): Omit<Gate, 'since'> => ({
  key: kind,
  kind,
  reason: 'trouble',
  until,
  canary: null,
  tries: 0,
})

test('a pause that ended while the machine slept, or by a clock set on, is over at the next look', async () => {
  const { clock, phase, becomes, later } = await waiting('backed_off', {
    phaseUntil: Date.now() + 8 * MINUTE,
  })
  await later()
  expect(await phase()).toBe('backing_off')
  clock.wall += 2 * HOUR
  await becomes('queued')
})

test('a pause is not two hours longer because the clock was set back', async () => {
  const { clock, becomes } = await waiting('backed_off', { phaseUntil: Date.now() + 8 * MINUTE })
  clock.wall -= 2 * HOUR
  await becomes('queued')
})

test('a limit is over when its own time has come, by the clock as it is', async () => {
  const until = Date.now() + HOUR
  const world = await waiting('parked', { phaseUntil: until })
  world.clock.wall -= 2 * HOUR
  await world.later()
  expect(await world.phase()).toBe('parked')
  world.clock.wall += 4 * HOUR
  await world.becomes('queued')
})

test('what the environment closed does not stay closed for two hours because the clock was set back', async () => {
  const until = Date.now() + MINUTE
  const world = await waiting('parked', { phaseUntil: until }, gateOf('environment', until))
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
  const newRun = {
    id: runId,
    taskId: task.id,
    number: 1,
    createdAt: at,
    how: 'start',
    outputLength: 0,
    inputLength: 0,
  } as const
  const moved = { id: task.id, reason: '', evidence: [], at } as const
  await core.store.record({ newRun, task: { ...moved, from: 'pending', event: 'launched', set: { runId } } })
  await core.store.record({
    run: { id: runId, from: 'launching', event: 'started', set: start },
    task: { ...moved, from: 'running', event: 'agent_started' },
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
  return { ...world, child, work, look }
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
