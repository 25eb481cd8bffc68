import { expect, test } from 'vitest'
import { asRunId, asTaskId } from '../../../src/domain/names/ids.ts'
import type { Run, TaskSummary } from '../../../src/domain/task/task.ts'
import {
  decide,
  EXIT_RECORD_GRACE_MS,
  hasEnded,
  type Observation,
  type Rules,
} from '../../../src/supervisor/watching/decide.ts'

const GRACE_MS = 10_000
const rules: Rules = {
  launchGraceMs: GRACE_MS,
  budget: { maxCostUsd: 2, maxTokens: 1000 },
  isWithoutSession: false,
  isFinishDue: false,
}
const task = (over: Partial<TaskSummary> = {}) =>
  ({
    id: asTaskId('t'),
    status: 'running',
    stop: null,
    restart: null,
    maxDurationMs: null,
    tokensIn: 0,
    tokensOut: 0,
    costUsd: 0,
    ...over,
  }) as TaskSummary
const run = (over: Partial<Run> = {}) => ({ id: asRunId('r'), state: 'live', result: null, ...over }) as Run
const start = { pid: 7, startTicks: 70, bootId: 'b' }
const exit = (code: number | null, signal: string | null = null) => ({
  code,
  signal,
  atMs: 1,
  bootId: 'b',
  hangup: null,
  late: false,
})
const seen = (over: Partial<Observation> = {}): Observation => ({
  start,
  exit: undefined,
  alive: true,
  otherBoot: false,
  missingMs: 0,
  watchedMs: 0,
  workedMs: 0,
  ...over,
})
const stop = { kind: 'kill', by: 'ada', reason: 'enough', at: 1 } as const

test.each<[string, Parameters<typeof decide>, object]>([
  ['a living run is left alone', [task(), run(), seen(), rules], { kind: 'leave_alone' }],
  [
    'a launching run whose process shows is adopted',
    [task(), run({ state: 'launching' }), seen(), rules],
    { kind: 'adopt', start },
  ],
  [
    'a launch that shows nothing yet is given time',
    [task(), run({ state: 'launching' }), seen({ start: undefined, alive: false }), rules],
    { kind: 'leave_alone' },
  ],
  [
    'a launch that shows nothing for long is settled by its claim',
    [
      task(),
      run({ state: 'launching' }),
      seen({ start: undefined, alive: false, watchedMs: GRACE_MS }),
      rules,
    ],
    { kind: 'settle_claim' },
  ],
  [
    'a process that just vanished may still get its exit record',
    [task(), run(), seen({ alive: false }), rules],
    { kind: 'leave_alone' },
  ],
  ['an ordered end is carried out', [task({ stop }), run(), seen(), rules], { kind: 'end_run' }],
  [
    'one that stays without the session it was to go on in is ended',
    [task(), run(), seen(), { ...rules, isWithoutSession: true }],
    { kind: 'end_run' },
  ],
  [
    'a run whose working time is used up is stopped',
    [task({ maxDurationMs: 100 }), run(), seen({ workedMs: 100 }), rules],
    { kind: 'stop', why: 'timeout', reason: 'Timeout', detail: 'max_duration of 100 ms' },
  ],
  [
    'a run whose working time is not used up is left alone',
    [task({ maxDurationMs: 100 }), run(), seen({ workedMs: 99 }), rules],
    { kind: 'leave_alone' },
  ],
  [
    'a run that is over is left alone whatever is seen',
    [task(), run({ state: 'void' }), seen({ exit: exit(0) }), rules],
    { kind: 'leave_alone' },
  ],
])('%s', (_, given, expected) => {
  expect(decide(...given)).toEqual(expected)
})

const ended = (over: Partial<Observation>) => seen({ alive: false, missingMs: EXIT_RECORD_GRACE_MS, ...over })
test.each<[string, Run, Observation]>([
  ['an exit record', run(), ended({ exit: exit(0) })],
  ['no record for long', run(), ended({})],
  ['a reboot, without waiting', run(), ended({ otherBoot: true, missingMs: 0 })],
  [
    'an agent quicker than our first look',
    run({ state: 'launching' }),
    ended({ start: undefined, exit: exit(0) }),
  ],
  ['an agent that ended before we looked, its keeper killed', run({ state: 'launching' }), ended({})],
])('%s is harvested', (_, givenRun, observation) => {
  expect(decide(task(), givenRun, observation, rules)).toEqual({ kind: 'harvest' })
  // What it said is read before it is judged.
  expect(hasEnded(observation)).toBe(true)
})

test.each<[string, Partial<TaskSummary>, object]>([
  ['tokens up to the limit are allowed', { tokensIn: 400, tokensOut: 600 }, { kind: 'leave_alone' }],
  [
    'more tokens than the limit stop the task',
    { tokensIn: 400, tokensOut: 601 },
    { kind: 'stop', why: 'budget' },
  ],
  ['money up to the limit is allowed', { costUsd: 2 }, { kind: 'leave_alone' }],
  ['more money than the limit stops the task', { costUsd: 2.01 }, { kind: 'stop', why: 'budget' }],
])('%s', (_, spent, expected) => {
  expect(decide(task(spent), run(), seen(), rules)).toMatchObject(expected)
})

test('a run that is to go on otherwise is ended', () => {
  const restart = {
    kind: 'takeover',
    by: 'ada',
    reason: 'mine',
    at: 1,
    goOn: null,
    mode: 'interactive',
  } as const
  expect(decide(task({ restart }), run(), seen(), rules)).toEqual({ kind: 'end_run' })
})
