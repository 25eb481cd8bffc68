import { expect, test } from 'vitest'
import {
  decisive,
  type FinalState,
  finalOf,
  isTimeToAnswer,
  type Stood,
} from '../../../src/domain/task/final-state.ts'
import { type Phase, TASK_STATUSES, type TaskStatus } from '../../../src/domain/task/machine.ts'
import type { Question } from '../../../src/domain/task/task.ts'
import { aQuestion } from '../../builders/question.ts'

const stood = (status: TaskStatus, phase: Phase | null, more: Partial<Stood> = {}): Stood => ({
  status,
  phase,
  reason: 'because',
  startedAt: 1,
  stop: null,
  restart: null,
  verification: null,
  ...more,
})
const stop = (kind: 'kill' | 'timeout' | 'budget' | 'disk') => ({ kind, by: 'me', reason: 'because', at: 1 })
const restart = { kind: 'resume', by: 'me', reason: 'r', at: 1, goOn: null, mode: null } as const
const verification = (verified: boolean, failures: string[]) => ({
  verified,
  rounds: 2,
  fingerprint: 'f',
  failures,
  at: 1,
})
const answered = aQuestion({ answer: 'Yes', answeredBy: 'me', answeredAt: 2 })

type Row = [what: string, task: Stood, state: FinalState | null, reason?: string, open?: Question[]]
const rows: Row[] = [
  ['completed', stood('completed', null), 'completed', 'because'],
  ['failed by a crash', stood('failed', null), 'crashed', 'because'],
  [
    'failed although verified',
    stood('failed', null, { verification: verification(true, []) }),
    'crashed',
    'because',
  ],
  [
    'failed by verification',
    stood('failed', null, { verification: verification(false, ['a.txt is missing', 'exit 1']) }),
    'incomplete',
    'a.txt is missing; exit 1',
  ],
  ['past its lifetime', stood('cancelled', null, { stop: stop('timeout') }), 'timeout', 'because'],
  ['killed', stood('cancelled', null, { stop: stop('kill') }), 'killed', 'killed by me: because'],
  [
    'too dear',
    stood('cancelled', null, { stop: stop('budget') }),
    'killed',
    'ended by its budget limit: because',
  ],
  ['closed while it waited', stood('cancelled', null), 'killed', 'killed: because'],
  [
    'killed in the queue',
    stood('cancelled', null, { startedAt: null }),
    'killed',
    'killed before it started: because',
  ],
  ['escalated', stood('waiting_input', 'stuck'), 'stuck', 'because'],
  ['escalated with a question', stood('waiting_input', 'stuck'), 'stuck', 'because', [aQuestion()]],
  ['asking', stood('waiting_input', 'asking'), 'needs_input', 'Go on? 1. Yes 2. No', [aQuestion()]],
  ['answered, and the agent has not taken it', stood('waiting_input', 'asking'), null, undefined, [answered]],
  [
    'asking twice, answered once',
    stood('waiting_input', 'asking'),
    'needs_input',
    'Name? 1. Yes 2. No',
    [answered, aQuestion({ number: 2, text: 'Name?' })],
  ],
  ['asking what was settled this moment', stood('waiting_input', 'asking'), null],
  ['stopped by a person', stood('waiting_input', 'stopped_by_person'), 'needs_input', 'because'],
  ['stopped, asked and answered', stood('waiting_input', 'stopped_by_person'), null, undefined, [answered]],
  [
    'asking while it is killed',
    stood('waiting_input', 'asking', { stop: stop('kill') }),
    null,
    undefined,
    [aQuestion()],
  ],
  ['stuck while it is restarted', stood('waiting_input', 'stuck', { restart }), null],
  ['queued', stood('pending', 'queued'), null],
  ['stuck before it is escalated', stood('running', 'stuck'), null],
  ['backing off', stood('running', 'backing_off'), null],
  ['parked', stood('running', 'parked'), null],
  ['at rest in a conversation', stood('running', 'idle'), null],
  ['being verified', stood('running', 'verifying', { verification: verification(false, ['x']) }), null],
]

test.each(rows)('a task that is %s', (_what, task, state, reason, open = []) => {
  expect(finalOf(task, open)).toEqual(state === null ? null : { state, reason })
})

test('a session whose turn is over is completed for who is content with that, and incomplete where its work is not good', () => {
  const idle = stood('running', 'idle')
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
  const ended = TASK_STATUSES.filter((status) => finalOf(stood(status, null), []) !== null)
  expect(ended).toEqual(['waiting_input', 'completed', 'failed', 'cancelled'])
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
