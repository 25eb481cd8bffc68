import { expect, test } from 'vitest'
import {
  decisive,
  type FinalFacts,
  type FinalState,
  finalOf,
  isTimeToAnswer,
} from '../../../src/domain/task/final-state.ts'
import type { Question } from '../../../src/domain/task/question.ts'
import type { TaskState } from '../../../src/domain/task/state.ts'
import type { StopOrder } from '../../../src/domain/task/task.ts'
import { aRestart, aStop } from '../../builders/orders.ts'
import { ended, inPhase } from '../../builders/phases.ts'
import { aQuestion } from '../../builders/question.ts'
import { aTask, type TaskChanges } from '../../builders/task.ts'

const stood = (state: TaskState, changes: TaskChanges = {}): FinalFacts =>
  aTask(state, { reason: 'because', ...changes })
const stop = (kind: StopOrder['kind']) => aStop({ kind, by: 'me', reason: 'because' })
const restart = aRestart({ kind: 'resume' })
const verification = (verified: boolean, failures: string[]) => ({
  verified,
  rounds: 2,
  fingerprint: 'f',
  failures,
  at: 1,
})
const answered = aQuestion({ answer: 'Yes', answeredBy: 'me', answeredAt: 2 })

type Row = [what: string, task: FinalFacts, state: FinalState | null, reason?: string, open?: Question[]]
const rows: Row[] = [
  ['completed', stood(ended.completed()), 'completed', 'because'],
  ['failed by a crash', stood(ended.failed()), 'crashed', 'because'],
  [
    'failed although verified',
    stood(ended.failed(), { verification: verification(true, []) }),
    'crashed',
    'because',
  ],
  [
    'failed by verification',
    stood(ended.failed(), { verification: verification(false, ['a.txt is missing', 'exit 1']) }),
    'incomplete',
    'a.txt is missing; exit 1',
  ],
  ['past its lifetime', stood(ended.cancelled(), { stop: stop('timeout') }), 'timeout', 'because'],
  ['killed', stood(ended.cancelled(), { stop: stop('kill') }), 'killed', 'killed by me: because'],
  [
    'too dear',
    stood(ended.cancelled(), { stop: stop('budget') }),
    'killed',
    'ended by its budget limit: because',
  ],
  ['closed while it waited', stood(ended.cancelled()), 'killed', 'killed: because'],
  [
    'killed in the queue',
    stood(ended.cancelled(), { startedAt: null }),
    'killed',
    'killed before it started: because',
  ],
  ['escalated', stood(inPhase.escalated()), 'stuck', 'because'],
  ['escalated with a question', stood(inPhase.escalated()), 'stuck', 'because', [aQuestion()]],
  ['asking', stood(inPhase.asking()), 'needs_input', 'Go on? 1. Yes 2. No', [aQuestion()]],
  ['answered, and the agent has not taken it', stood(inPhase.asking()), null, undefined, [answered]],
  [
    'asking twice, answered once',
    stood(inPhase.asking()),
    'needs_input',
    'Name? 1. Yes 2. No',
    [answered, aQuestion({ number: 2, text: 'Name?' })],
  ],
  ['asking what was settled this moment', stood(inPhase.asking()), null],
  ['stopped by a person', stood(inPhase.stoppedByPerson()), 'needs_input', 'because'],
  ['stopped, asked and answered', stood(inPhase.stoppedByPerson()), null, undefined, [answered]],
  [
    'asking while it is killed',
    stood(inPhase.asking(), { stop: stop('kill') }),
    null,
    undefined,
    [aQuestion()],
  ],
  ['stuck while it is restarted', stood(inPhase.escalated(), { restart }), null],
  ['queued', stood(inPhase.queued()), null],
  ['stuck before it is escalated', stood(inPhase.stuck()), null],
  ['backing off', stood(inPhase.backingOff()), null],
  ['parked', stood(inPhase.parked()), null],
  ['at rest in a conversation', stood(inPhase.idle()), null],
  ['being verified', stood(inPhase.verifying(), { verification: verification(false, ['x']) }), null],
]

test.each(rows)('a task that is %s', (_what, task, state, reason, open = []) => {
  expect(finalOf(task, open)).toEqual(state === null ? null : { state, reason })
})

test('a session whose turn is over is completed for who is content with that, and incomplete where its work is not good', () => {
  const idle = stood(inPhase.idle())
  expect(finalOf(idle, [])).toBeNull()
  expect(finalOf(idle, [], { failures: [] })).toEqual({
    state: 'completed',
    reason: 'its turn is over; it waits for a prompt',
  })
  expect(finalOf(idle, [], { failures: ['a.txt is missing', 'exit 1'] })).toEqual({
    state: 'incomplete',
    reason: 'a.txt is missing; exit 1',
  })
})

test('every ended task has a final state', () => {
  const all = [
    ...[inPhase.queued(), inPhase.working(), inPhase.stoppedByPerson()],
    ...[ended.completed(), ended.failed(), ended.cancelled()],
  ]
  const final = all.filter((state) => finalOf(stood(state), []) !== null)
  expect(final.map(({ status }) => status)).toEqual(['waiting_input', 'completed', 'failed', 'cancelled'])
})

const done: [(FinalState | null)[], { all: boolean; any: boolean }][] = [
  [[null, null], { all: false, any: false }],
  [[null, 'completed'], { all: false, any: true }],
  [['crashed', null], { all: false, any: true }],
  [['crashed', 'completed'], { all: true, any: true }],
  [[null, 'needs_input'], { all: true, any: true }],
  [['stuck', null], { all: true, any: true }],
  [[null, 'not_found'], { all: true, any: true }],
]
test.each(done)('%j: time to answer who waits for all, for any: %j', (states, { all, any }) => {
  expect([isTimeToAnswer(states, false), isTimeToAnswer(states, true)]).toEqual([all, any])
})

const about: [(FinalState | null)[], number][] = [
  [['completed', 'crashed', 'needs_input'], 2],
  [['completed', null, 'crashed'], 2],
  [[null, 'completed'], 1],
  [['completed', 'completed'], 0],
  [[null], 0],
]
test.each(about)('of %j the answer is about number %i', (states, at) => {
  expect(decisive(states)).toBe(at)
})
