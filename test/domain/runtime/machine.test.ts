import fc from 'fast-check'
import { expect, test } from 'vitest'
import { runtimeEventsBy, triggerEventIn } from '../../../src/domain/runtime/by-trigger.ts'
import {
  RUNTIME_STATES,
  RUNTIME_STATUSES,
  type RuntimeEvent,
  type RuntimeState,
  runtimeStatus,
  runtimeTransitions,
  UP,
} from '../../../src/domain/runtime/machine.ts'
import { nextRuntimeState } from '../../../src/domain/runtime/next-runtime-state.ts'
import { eventForSight, isDrift, type RuntimeSight } from '../../../src/domain/runtime/reconcile.ts'

const TRIGGER_EVENTS = [
  'queued',
  'deferred',
  'typed',
  'submitted',
  'ack_late',
  'acknowledged',
  'done',
  'unconfirmed',
  'failed',
  'fell_back',
] as const
const SIGHTS = [
  'stopped',
  'given_up',
  'first',
  'waits',
  'starting',
  'anew',
  'late',
  'up',
  'stuck',
  'paneless',
  'replaced',
] as const
const someState = fc.constantFrom(...RUNTIME_STATES)
const someSight = fc.constantFrom(...SIGHTS)

/** Where a row can rest while a sight lasts. */
const fits: Readonly<Record<RuntimeSight, readonly RuntimeState[]>> = {
  stopped: ['offline'],
  given_up: ['failed'],
  first: RUNTIME_STATES.filter((state) => state !== 'offline' && state !== 'failed'),
  waits: ['offline', 'failed', 'fallback_resume', 'spawn_recovery'],
  starting: ['starting', 'fallback_resume'],
  anew: ['starting'],
  late: ['failed', 'fallback_resume'],
  up: [...UP],
  stuck: ['failed'],
  replaced: RUNTIME_STATES,
  paneless: ['offline', 'fallback_resume', 'spawn_recovery'],
}

function follow(sight: RuntimeSight, state: RuntimeState): RuntimeState {
  for (let steps = 0; steps < 4; steps++) {
    const event = eventForSight(sight, state)
    if (event === null) return state
    state = nextRuntimeState(state, event)
  }
  throw new Error(`${sight} leads to no rest`)
}

test('whatever is seen, in whatever order, the row comes to rest in a state that fits, by the table alone', () => {
  fc.assert(
    fc.property(someState, fc.array(someSight, { minLength: 1, maxLength: 12 }), (first, sights) => {
      let state: RuntimeState = first
      for (const sight of sights) {
        state = follow(sight, state)
        expect(fits[sight]).toContain(state)
      }
    }),
    { numRuns: 2000 },
  )
})

test('triggers and sights in any order never ask for a move that the table lacks', () => {
  const happening = fc.oneof(
    fc.record({ trigger: fc.constantFrom(...TRIGGER_EVENTS) }),
    fc.record({ sight: someSight }),
  )
  fc.assert(
    fc.property(fc.array(happening, { maxLength: 30 }), (happenings) => {
      let state: RuntimeState = nextRuntimeState('unregistered', 'register_runtime')
      for (const one of happenings) {
        if ('sight' in one) state = follow(one.sight, state)
        else for (const event of runtimeEventsBy(one.trigger, state)) state = nextRuntimeState(state, event)
      }
      expect(RUNTIME_STATES).toContain(state)
    }),
    { numRuns: 2000 },
  )
})

test('every state can be reached, and each leads back to ready', () => {
  const reached = new Set<RuntimeState>()
  const visit = (state: RuntimeState): void => {
    if (reached.has(state)) return
    reached.add(state)
    for (const to of Object.values(runtimeTransitions[state])) visit(to)
  }
  visit('starting')
  expect([...reached].sort()).toEqual([...RUNTIME_STATES].sort())
  for (const state of RUNTIME_STATES) expect(UP).toContain(follow('up', state))
})

test('a trigger that is delivered leads through triggering and awaiting_ack back to ready', () => {
  let state: RuntimeState = 'ready'
  const states = ['typed', 'submitted', 'ack_late', 'acknowledged', 'done'] as const
  const through = states.map((event) => {
    for (const step of runtimeEventsBy(event, state)) state = nextRuntimeState(state, step)
    return state
  })
  expect(through).toEqual(['triggering', 'awaiting_ack', 'retrying', 'ready', 'ready'])
  expect([triggerEventIn('trigger_typed'), triggerEventIn('task_created')]).toEqual(['typed', undefined])
})

type Move = readonly [RuntimeState | 'unregistered', RuntimeEvent, RuntimeState]
const arrow = ([from, event, to]: Move) => `${from} -${event}-> ${to}`

/** All moves of the specification's failure state machine, but that out of it: a runtime that is removed has no row. */
const specified: readonly Move[] = [
  ['unregistered', 'register_runtime', 'starting'],
  ['starting', 'agent_detected', 'ready'],
  ['starting', 'start_timeout', 'failed'],
  ['starting', 'pane_dead', 'failed'],
  ['ready', 'trigger_runtime', 'triggering'],
  ['triggering', 'send_keys_ok', 'awaiting_ack'],
  ['triggering', 'send_keys_error', 'failed'],
  ['awaiting_ack', 'ack_received', 'ready'],
  ['awaiting_ack', 'ack_timeout', 'retrying'],
  ['awaiting_ack', 'ack_timeout_exhausted', 'fallback_resume'],
  ['retrying', 'resend_ok', 'awaiting_ack'],
  ['retrying', 'resend_error', 'failed'],
  ['fallback_resume', 'resume_ok', 'ready'],
  ['fallback_resume', 'resume_failed', 'spawn_recovery'],
  ['spawn_recovery', 'spawn_new_runtime', 'starting'],
  ['spawn_recovery', 'spawn_failed', 'failed'],
  ['ready', 'pane_missing', 'offline'],
  ['ready', 'pane_dead', 'offline'],
  ['offline', 'reconcile_restart', 'starting'],
  ['offline', 'reconcile_failed', 'failed'],
  ['failed', 'recover', 'starting'],
]
/** A runtime always comes back: see ADR 17. */
const elsewhere: readonly Move[] = [['starting', 'pane_dead', 'offline']]
const GOING_OFFLINE: ReadonlySet<string> = new Set(['pane_missing', 'pane_dead', 'stop_runtime'])
const added: readonly Move[] = [
  ['starting', 'start_failed', 'failed'],
  ['ready', 'reconcile_restart', 'starting'],
  ['ready', 'agent_stuck', 'failed'],
  ['triggering', 'ack_waived', 'ready'],
  ['triggering', 'trigger_withdrawn', 'ready'],
  ['triggering', 'agent_stuck', 'failed'],
  ['awaiting_ack', 'ack_waived', 'ready'],
  ['awaiting_ack', 'trigger_withdrawn', 'ready'],
  ['awaiting_ack', 'agent_stuck', 'failed'],
  ['retrying', 'ack_received', 'ready'],
  ['retrying', 'ack_waived', 'ready'],
  ['retrying', 'trigger_withdrawn', 'ready'],
  ['retrying', 'agent_stuck', 'failed'],
  ['offline', 'recover', 'starting'],
  ['failed', 'agent_detected', 'ready'],
]

test('the moves of the specification are in the table, and one of them leads elsewhere', () => {
  const leads = ([from, event]: Move): Move => [from, event, nextRuntimeState(from, event)]
  const differing = specified.map(leads).filter((move, at) => arrow(move) !== arrow(specified[at]!))
  expect(differing).toEqual(elsewhere)
})

test('the table has no moves beyond the specification but those that the decision names, and ends of the process', () => {
  const table = Object.entries(runtimeTransitions).flatMap(([from, moves]) =>
    Object.entries(moves).map(([event, to]) => [from, event, to] as Move),
  )
  const known = new Set([...specified, ...elsewhere].map(arrow))
  const beyond = table.filter((move) => !known.has(arrow(move)))
  const ends = beyond.filter(([, event]) => GOING_OFFLINE.has(event))
  expect(ends.map(([, , to]) => to)).toEqual(ends.map(() => 'offline'))
  expect(beyond.filter((move) => !ends.includes(move)).map(arrow)).toEqual(added.map(arrow))
})

test('what is not in the table is refused', () => {
  expect(() => nextRuntimeState('offline', 'ack_received')).toThrow("cannot take 'ack_received'")
})

test.each([
  ['retrying', 'awaiting_ack'],
  ['fallback_resume', 'starting'],
  ['spawn_recovery', 'starting'],
  ['ready', 'ready'],
] as const)('a runtime that is %s is shown as %s', (state, status) => {
  expect(runtimeStatus(state)).toBe(status)
  expect(RUNTIME_STATUSES).toContain(status)
})

test('a pane that is gone is drift only where the row says that the runtime is up', () => {
  expect(isDrift('paneless', 'ready')).toBe(true)
  expect(isDrift('paneless', 'starting')).toBe(false)
  expect(isDrift('waits', 'ready')).toBe(false)
})
