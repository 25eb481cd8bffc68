// Owns what the events of a trigger mean for the runtime that it is for. Pure.
import type { RuntimeEvent, RuntimeState } from './machine.ts'

/** The journal's events about triggers that move a runtime. */
export const TRIGGER_EVENTS = [
  'trigger_typed',
  'trigger_submitted',
  'trigger_acknowledged',
  'trigger_done',
  'trigger_unconfirmed',
  'trigger_failed',
  'trigger_fell_back',
] as const
export type TriggerEvent = (typeof TRIGGER_EVENTS)[number]

const meanings: Readonly<
  Record<TriggerEvent, Readonly<Partial<Record<RuntimeState, readonly RuntimeEvent[]>>>>
> = {
  // Typed again into a runtime that awaits its acknowledgement: that is a retry.
  trigger_typed: { ready: ['trigger_runtime'], awaiting_ack: ['ack_timeout'] },
  trigger_submitted: {
    ready: ['trigger_runtime', 'send_keys_ok'],
    triggering: ['send_keys_ok'],
    retrying: ['resend_ok'],
  },
  trigger_acknowledged: {
    triggering: ['send_keys_ok', 'ack_received'],
    awaiting_ack: ['ack_received'],
    retrying: ['ack_received'],
  },
  // A turn that is over was begun: the trigger arrived, acknowledged or not.
  trigger_done: { triggering: ['ack_waived'], awaiting_ack: ['ack_waived'], retrying: ['ack_waived'] },
  trigger_unconfirmed: { triggering: ['ack_waived'], awaiting_ack: ['ack_waived'], retrying: ['ack_waived'] },
  trigger_failed: {
    triggering: ['send_keys_error'],
    retrying: ['resend_error'],
    fallback_resume: ['resume_failed'],
    spawn_recovery: ['spawn_failed'],
  },
  trigger_fell_back: {
    triggering: ['send_keys_ok', 'ack_timeout_exhausted'],
    awaiting_ack: ['ack_timeout_exhausted'],
    retrying: ['resend_ok', 'ack_timeout_exhausted'],
  },
}

/** In order; none where the event means nothing to a runtime in this state. */
export const runtimeEventsBy = (kind: TriggerEvent, state: RuntimeState): readonly RuntimeEvent[] =>
  meanings[kind][state] ?? []
