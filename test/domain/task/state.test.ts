import { expect, test } from 'vitest'
import { CONTINUATION } from '../../../src/domain/task/go-on.ts'
import { PHASES, type TaskStatus, taskTransitions } from '../../../src/domain/task/machine.ts'
import {
  columnsOf,
  gateOf,
  isTimed,
  type StoredState,
  stateOf,
  waitsUntil,
} from '../../../src/domain/task/state.ts'
import { GO_ON, phaseChange, stateIn } from '../../builders/phases.ts'

const row = (changes: Partial<StoredState>): StoredState => ({
  status: 'running',
  phase: 'working',
  phaseUntil: 5,
  gate: 'limit:me',
  goOn: GO_ON,
  waitsFor: { kind: 'tmux' },
  question: 7,
  ...changes,
})

test.each([
  ['pending', 'queued', { goOn: GO_ON }],
  ['running', 'starting', {}],
  ['running', 'working', {}],
  ['running', 'idle', {}],
  ['running', 'stuck', {}],
  ['running', 'verifying', {}],
  ['running', 'backing_off', { until: 5, goOn: GO_ON }],
  ['running', 'parked', { until: 5, gate: 'limit:me', goOn: GO_ON }],
  ['running', 'waiting', { for: { kind: 'tmux' }, goOn: GO_ON }],
  ['waiting_input', 'asking', { question: 7 }],
  ['waiting_input', 'stuck', { question: 7 }],
  ['waiting_input', 'stopped_by_person', { question: 7 }],
  ['completed', null, {}],
  ['failed', null, {}],
  ['cancelled', null, {}],
] as const)('a %s task in phase %s has the facts of that phase, and no others', (status, phase, facts) => {
  expect(stateOf(row({ status, phase }))).toEqual({ status, phase, ...facts })
})

test('every phase and status that the table leads to can be read', () => {
  const steps = Object.values(taskTransitions).flatMap((events) => Object.values(events))
  for (const { to, phase } of steps)
    expect(stateOf(row({ status: to, phase }))).toMatchObject({ status: to, phase })
  expect(new Set(steps.flatMap(({ phase }) => phase ?? []))).toEqual(new Set(PHASES))
})

test('whatever an event stores is what its phase has', () => {
  for (const [from, events] of Object.entries(taskTransitions))
    for (const [event, { to, phase }] of Object.entries(events)) {
      const change = phaseChange(event as never)
      const { event: _, ...facts } = change
      const read = stateOf({ status: to, phase, question: null, ...columnsOf(change) })
      const { status: __, phase: ___, question: ____, ...kept } = { question: null, ...read }
      // A first start has nothing to go on from.
      expect({ from, event, ...kept }).toEqual({
        from,
        event,
        ...(event === 'created' ? { goOn: null } : facts),
      })
    }
})

test('a damaged row goes on at once, in its session', () => {
  const none = { phaseUntil: null, gate: null, goOn: null, waitsFor: null }
  const goOn = { how: 'resume', say: CONTINUATION }
  expect(stateIn(stateOf(row({ ...none, phase: 'backing_off' })))).toMatchObject({ until: 0, goOn })
  expect(stateIn(stateOf(row({ ...none, phase: 'parked' })))).toMatchObject({ until: 0, gate: null, goOn })
  expect(stateIn(stateOf(row({ ...none, phase: 'waiting' })))).toMatchObject({ goOn })
})

test.each([
  ['running', 'backing_off', true, 5, null],
  ['running', 'parked', true, 5, 'limit:me'],
  ['running', 'working', false, null, null],
  ['waiting_input', 'asking', false, null, null],
] as [TaskStatus, StoredState['phase'], boolean, number | null, string | null][])(
  'a %s task that is %s: does it wait for a time, until when, behind which gate',
  (status, phase, timed, until, gate) => {
    const state = stateOf(row({ status, phase }))
    expect([isTimed(state), waitsUntil(state), gateOf(state)]).toEqual([timed, until, gate])
  },
)
