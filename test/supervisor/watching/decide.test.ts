import { expect, test } from 'vitest'
import type { Run } from '../../../src/domain/task/run.ts'
import {
  decide,
  EXIT_RECORD_GRACE_MS,
  hasEnded,
  type Observation,
  type Rules,
} from '../../../src/supervisor/watching/decide.ts'
import { anExitRecord, anObservation } from '../../builders/observation.ts'
import { aRestart, aStop } from '../../builders/orders.ts'
import { aRun } from '../../builders/run.ts'
import { aTask, type TaskChanges } from '../../builders/task.ts'

const GRACE_MS = 10_000
const rules: Rules = {
  launchGraceMs: GRACE_MS,
  budget: { maxCostUsd: 2, maxTokens: 1000 },
  isWithoutSession: false,
  isFinishDue: false,
}
const start = { pid: 7, startTicks: 70, bootId: 'b' }
const exit = anExitRecord()
const launching = aRun({ state: 'launching' })
const nothingSeen = { start: undefined, alive: false }

test.each<[string, Parameters<typeof decide>, object]>([
  ['a living run is left alone', [aTask(), aRun(), anObservation(), rules], { kind: 'leave_alone' }],
  [
    'a launching run whose process shows is adopted',
    [aTask(), launching, anObservation(), rules],
    { kind: 'adopt', start },
  ],
  [
    'a launch that shows nothing yet is given time',
    [aTask(), launching, anObservation(nothingSeen), rules],
    { kind: 'leave_alone' },
  ],
  [
    'a launch that shows nothing for long is settled by its claim',
    [aTask(), launching, anObservation({ ...nothingSeen, watchedMs: GRACE_MS }), rules],
    { kind: 'resolve_claim' },
  ],
  [
    'a process that just vanished may still get its exit record',
    [aTask(), aRun(), anObservation({ alive: false }), rules],
    { kind: 'leave_alone' },
  ],
  [
    'an ordered end is carried out',
    [aTask({ stop: aStop() }), aRun(), anObservation(), rules],
    { kind: 'end_run' },
  ],
  [
    'one that stays without the session it was to go on in is ended',
    [aTask(), aRun(), anObservation(), { ...rules, isWithoutSession: true }],
    { kind: 'end_run' },
  ],
  [
    'a run whose working time is used up is stopped',
    [aTask({ maxDurationMs: 1_800_000 }), aRun(), anObservation({ workedMs: 1_800_000 }), rules],
    {
      kind: 'stop',
      why: 'timeout',
      reason: 'Timeout: its working time of 30m is used up (max_duration)',
      detail: 'max_duration of 30m',
    },
  ],
  [
    'a run whose working time is not used up is left alone',
    [aTask({ maxDurationMs: 100 }), aRun(), anObservation({ workedMs: 99 }), rules],
    { kind: 'leave_alone' },
  ],
  [
    'a run that is over is left alone whatever is seen',
    [aTask(), aRun({ state: 'void' }), anObservation({ exit }), rules],
    { kind: 'leave_alone' },
  ],
])('%s', (_, given, expected) => {
  expect(decide(...given)).toEqual(expected)
})

const ended = (over: Partial<Observation>) =>
  anObservation({ alive: false, missingMs: EXIT_RECORD_GRACE_MS, ...over })
test.each<[string, Run, Observation]>([
  ['an exit record', aRun(), ended({ exit })],
  ['no record for long', aRun(), ended({})],
  ['a reboot, without waiting', aRun(), ended({ otherBoot: true, missingMs: 0 })],
  ['an agent quicker than our first look', launching, ended({ start: undefined, exit })],
  ['an agent that ended before we looked, its keeper killed', launching, ended({})],
])('%s is harvested', (_, givenRun, observation) => {
  expect(decide(aTask(), givenRun, observation, rules)).toEqual({ kind: 'harvest' })
  // What it said is read before it is judged.
  expect(hasEnded(observation)).toBe(true)
})

test.each<[string, TaskChanges, object]>([
  ['tokens up to the limit are allowed', { tokensIn: 400, tokensOut: 600 }, { kind: 'leave_alone' }],
  [
    'more tokens than the limit stop the task',
    { tokensIn: 400, tokensOut: 601 },
    { kind: 'stop', why: 'budget' },
  ],
  ['money up to the limit is allowed', { costUsd: 2 }, { kind: 'leave_alone' }],
  ['more money than the limit stops the task', { costUsd: 2.01 }, { kind: 'stop', why: 'budget' }],
])('%s', (_, spent, expected) => {
  expect(decide(aTask(spent), aRun(), anObservation(), rules)).toMatchObject(expected)
})

test('a run that is to go on otherwise is ended', () => {
  expect(
    decide(aTask({ restart: aRestart({ mode: 'interactive' }) }), aRun(), anObservation(), rules),
  ).toEqual({ kind: 'end_run' })
})
