// Real files and processes; only the hours that pass are made up.

import { spawn } from 'node:child_process'
import { appendFileSync, mkdirSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import { asRunId } from '../../../src/domain/names/ids.ts'
import { mergeConfig } from '../../../src/domain/settings/merge-config.ts'
import type { TaskState } from '../../../src/domain/task/state.ts'
import type { Terminal } from '../../../src/ports/run/terminal.ts'
import { heartbeat } from '../../../src/supervisor/orders/heartbeat.ts'
import { createTask } from '../../../src/supervisor/starting/create-task.ts'
import type { Core, Watch } from '../../../src/supervisor/task/core.ts'
import { lookForLife, statuslineOn, TICKS_PER_LIFE } from '../../../src/supervisor/watching/life.ts'
import { systemIds } from '../../../src/system/ids.ts'
import { aStop } from '../../builders/orders.ts'
import { inPhase } from '../../builders/phases.ts'
import { aRun } from '../../builders/run.ts'
import { moved, type TaskChanges } from '../../builders/task.ts'
import { aWatch } from '../../builders/watch.ts'
import { startCore } from '../../helpers/core-world.ts'
import { startTerminal } from '../../helpers/tmux-server.ts'
import { waitFor } from '../../helpers/wait-for.ts'

const LOOK = TICKS_PER_LIFE * 5_000
const MINUTE = 60_000
const RESTING = 'exec sleep 600'
const BUSY = 'while :; do :; done'

async function silentWorld(terminal?: Terminal) {
  const world = await startCore()
  let mono = 1_000_000
  let scans = 0
  const { cpuMs } = world.core.processes
  const core: Core = {
    ...world.core,
    terminal: terminal ?? world.core.terminal,
    clock: { ...world.core.clock, monotonic: () => mono },
    processes: Object.assign(Object.create(world.core.processes), {
      cpuMs: (ids: readonly string[]) => {
        scans++
        return cpuMs.call(world.core.processes, ids)
      },
    }),
  }
  const agent = async (
    script: string,
    state = inPhase.working(),
    changes: TaskChanges = {},
  ): Promise<Watch> => {
    const runId = asRunId(systemIds.run())
    const child = spawn('sh', ['-c', script], {
      env: { HOLDFAST_RUN: runId, PATH: process.env.PATH },
      stdio: 'ignore',
    })
    onTestFinished(() => void child.kill('SIGKILL'))
    mkdirSync(world.home.run(runId), { recursive: true })
    const stored = await createTask(world.request('x'), mergeConfig([]).config, core)
    const watch = aWatch({
      task: moved(stored, state, changes),
      run: aRun({ id: runId, taskId: stored.id }),
      sinceMono: mono,
      openWork: { tools: 0, request: false },
    })
    core.watched.set(stored.id, watch)
    await waitFor('its process', async () => (await world.core.processes.cpuMs([runId])).has(runId))
    return watch
  }
  /** Looks until so much time has passed; whoever was found to be stuck. */
  const pass = async (ms: number) => {
    const found = new Set<Watch>()
    const look = async () => {
      for (const { watch } of await lookForLife(core, core.watched.values())) found.add(watch)
    }
    await look()
    for (const end = mono + ms; mono < end; await look()) mono += LOOK
    return [...found]
  }
  return { core, home: world.home, agent, pass, scans: () => scans, skip: (ms: number) => (mono += ms) }
}

test('an agent that writes nothing and does nothing is stuck after five minutes, and the finding says why', async () => {
  const { core, agent, pass, skip } = await silentWorld()
  const watch = await agent(RESTING)
  expect(await pass(5 * MINUTE - LOOK)).toEqual([])
  skip(LOOK)
  expect(await lookForLife(core, [watch])).toEqual([
    {
      watch,
      silentMs: 5 * MINUTE,
      evidence: [
        { source: 'process', fact: 'its processes took no more than 50 ms of CPU time between two looks' },
        { source: 'agent', fact: 'it wrote nothing for 5m' },
      ],
    },
  ])
})

test('what it writes, to stderr too, is life', async () => {
  const { home, agent, pass } = await silentWorld()
  const watch = await agent(RESTING)
  for (const file of ['events.jsonl', 'stderr.log']) {
    expect(await pass(4 * MINUTE)).toEqual([])
    appendFileSync(`${home.run(watch.run.id)}/${file}`, 'half a line')
  }
  expect(await pass(4 * MINUTE)).toEqual([])
  expect(await pass(2 * MINUTE)).toEqual([watch])
})

test('a heartbeat is life, as long as it beats', async () => {
  const { core, agent, pass } = await silentWorld()
  const watch = await agent(RESTING)
  for (let minutes = 0; minutes < 12; minutes += 4) {
    expect(await pass(4 * MINUTE)).toEqual([])
    heartbeat(watch.task, { kind: 'person', name: 'test' }, 'active', core)
  }
  expect(await pass(4 * MINUTE)).toEqual([])
  expect(await pass(2 * MINUTE)).toEqual([watch])
})

test('a busy process is life, however silent; one beside it that rests is stuck', async () => {
  const { core, agent, pass } = await silentWorld()
  const busy = await agent(BUSY)
  const resting = await agent(RESTING)
  const spent = async () => (await core.processes.cpuMs([busy.run.id])).get(busy.run.id)!
  for (let minute = 0; minute < 4; minute++) {
    expect(await pass(MINUTE)).toEqual([])
    const before = await spent()
    await waitFor('some CPU time', async () => (await spent()) > before + 60)
  }
  expect(await pass(MINUTE)).toEqual([resting])
  expect(busy.life!.silentMs).toBeLessThan(5 * MINUTE)
})

test('an open tool call is patience: thirty minutes', async () => {
  const { agent, pass } = await silentWorld()
  const watch = await agent(RESTING)
  watch.openWork = { tools: 1, request: false }
  expect(await pass(29 * MINUTE)).toEqual([])
  expect(await pass(2 * MINUTE)).toEqual([watch])
})

test('the task’s own patience counts', async () => {
  const { agent, pass } = await silentWorld()
  const impatient = await agent(RESTING)
  const { snapshot } = impatient.task
  const recovery = { ...snapshot.recovery!, stuckAfterMs: 20_000 }
  impatient.task = { ...impatient.task, snapshot: { ...snapshot, recovery } }
  await agent(RESTING)
  expect(await pass(20_000)).toEqual([impatient])
})

test.each<[string, TaskState, TaskChanges?]>([
  ['is idle', inPhase.idle()],
  ['asks', inPhase.asking()],
  ['is parked', inPhase.parked()],
  ['is being ended', inPhase.working(), { stop: aStop() }],
  ['is in a terminal that nobody can look at', inPhase.working(), { mode: 'interactive' }],
])('one that %s is never stuck, and counts anew afterwards', async (_, state, changes) => {
  const { agent, pass } = await silentWorld()
  const watch = await agent(RESTING)
  const { task } = watch
  await pass(4 * MINUTE)
  watch.task = moved(task, state, changes)
  expect(await pass(60 * MINUTE)).toEqual([])
  watch.task = task
  expect(await pass(4 * MINUTE)).toEqual([])
  expect(await pass(MINUTE)).toEqual([watch])
})

test('in a terminal, a clock that moved is life, and one that stands still is not', async () => {
  const { terminal } = await startTerminal()
  const { core, agent, pass } = await silentWorld(terminal)
  const watch = await agent(RESTING, inPhase.working(), { mode: 'interactive' })
  const script = 'for time in 00 01; do printf "\\rshop | ctx(1%%) | 10:$time:00"; read line; done; sleep 600'
  await terminal.open({ task: watch.task.id, mark: watch.run.id, argv: ['sh', '-c', script], cwd: '/' })
  const shows = (time: string) =>
    waitFor(`the time ${time}`, async () => (await statuslineOn(watch, core))?.clock === time)
  await shows('10:00:00')
  expect(await pass(5 * MINUTE)).toEqual([])
  await terminal.press(watch.task.id, watch.run.id, 'on', ['Enter'])
  await shows('10:01:00')
  expect(await pass(5 * MINUTE)).toEqual([])
  expect(await pass(MINUTE)).toEqual([watch])
})

test('a pause of an hour counts as two looks', async () => {
  const { agent, pass, skip } = await silentWorld()
  const watch = await agent(RESTING)
  await pass(MINUTE)
  skip(60 * MINUTE)
  expect(await pass(0)).toEqual([])
  expect(watch.life!.silentMs).toBe(MINUTE + 2 * LOOK)
})

test('one that is stuck already is not found again, but its life would be seen', async () => {
  const { home, agent, pass } = await silentWorld()
  const watch = await agent(RESTING, inPhase.stuck())
  expect(await pass(10 * MINUTE)).toEqual([])
  appendFileSync(`${home.run(watch.run.id)}/events.jsonl`, 'x')
  await pass(0)
  expect(watch.life!.proof).toEqual({ source: 'agent', fact: 'it wrote 1 bytes' })
})

test('many silent agents cost one scan in a minute at most, and talking ones none', async () => {
  const { home, agent, pass, scans } = await silentWorld()
  const watches = [await agent(RESTING), await agent(RESTING), await agent(RESTING)]
  for (const [at, watch] of watches.entries()) {
    await pass(at * 2 * LOOK)
    appendFileSync(`${home.run(watch.run.id)}/events.jsonl`, 'x')
  }
  expect(scans()).toBe(0)
  await pass(4 * MINUTE)
  expect(scans()).toBeLessThanOrEqual(4)
  expect(scans()).toBeGreaterThanOrEqual(2)
})
