// Owns how a trigger moves: one prompt on its way to a living agent. The table is the law; the docs are made from it.

export const TRIGGER_STATES = [
  'queued',
  'deferred',
  'typed',
  'submitted',
  'acknowledged',
  'done',
  'unconfirmed',
  'failed',
  'fallen_back',
] as const
export type TriggerState = (typeof TRIGGER_STATES)[number]
export const isTriggerState = (word: string): word is TriggerState =>
  (TRIGGER_STATES as readonly string[]).includes(word)

/** `queued` after the beginning: back in the queue. `ack_late`: no acknowledgement in time, it is awaited on. */
export type TriggerEvent =
  | 'queued'
  | 'deferred'
  | 'typed'
  | 'submitted'
  | 'ack_late'
  | 'acknowledged'
  | 'done'
  | 'unconfirmed'
  | 'failed'
  | 'fell_back'

export type StateBefore = TriggerState | 'new'
type Transitions = Readonly<Record<StateBefore, Readonly<Partial<Record<TriggerEvent, TriggerState>>>>>

/** It waits to be said: its agent does not have it. */
const waiting = { deferred: 'deferred', typed: 'typed', fell_back: 'fallen_back', failed: 'failed' } as const

export const triggerTransitions: Transitions = {
  new: { queued: 'queued' },
  queued: waiting,
  deferred: { ...waiting, queued: 'queued' },
  fallen_back: { ...waiting, queued: 'queued' },
  typed: {
    queued: 'queued',
    submitted: 'submitted',
    ack_late: 'typed',
    unconfirmed: 'unconfirmed',
    fell_back: 'fallen_back',
    failed: 'failed',
  },
  submitted: {
    ack_late: 'submitted',
    acknowledged: 'acknowledged',
    done: 'done',
    unconfirmed: 'unconfirmed',
    fell_back: 'fallen_back',
    failed: 'failed',
  },
  // A stronger word may follow a weaker one.
  acknowledged: { acknowledged: 'acknowledged', done: 'done' },
  unconfirmed: {
    queued: 'queued',
    submitted: 'submitted',
    acknowledged: 'acknowledged',
    done: 'done',
    fell_back: 'fallen_back',
  },
  // Its session ended before it was said, and was brought back.
  failed: { queued: 'queued' },
  done: {},
}

/** Undefined where the table has no such step. */
export const nextTrigger = (from: StateBefore, event: TriggerEvent): TriggerState | undefined =>
  triggerTransitions[from][event]

/** States of a prompt that its agent was not given yet. */
export const WAITING_STATES: readonly TriggerState[] = ['queued', 'deferred', 'fallen_back']
