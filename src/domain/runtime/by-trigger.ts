// Owns what the events of a trigger mean for the runtime that it is for. Pure.
import type { TriggerEvent } from '../trigger/machine.ts'
import type { RuntimeEvent, RuntimeState } from './machine.ts'

type Meaning = Readonly<Partial<Record<RuntimeState, readonly RuntimeEvent[]>>>

/** A turn that began, or is over, shows that the trigger arrived, acknowledged or not. */
const arrived: Meaning = {
  triggering: ['ack_waived'],
  awaiting_ack: ['ack_waived'],
  retrying: ['ack_waived'],
}
/** The trigger waits again, or was given up, and the runtime is as it was before it. */
const withdrawn: Meaning = {
  triggering: ['trigger_withdrawn'],
  awaiting_ack: ['trigger_withdrawn'],
  retrying: ['trigger_withdrawn'],
}

const meanings: Readonly<Record<TriggerEvent, Meaning>> = {
  queued: withdrawn,
  deferred: withdrawn,
  typed: { ready: ['trigger_runtime'] },
  submitted: {
    ready: ['trigger_runtime', 'send_keys_ok'],
    triggering: ['send_keys_ok'],
    retrying: ['resend_ok'],
  },
  ack_late: { awaiting_ack: ['ack_timeout'] },
  acknowledged: {
    triggering: ['send_keys_ok', 'ack_received'],
    awaiting_ack: ['ack_received'],
    retrying: ['ack_received'],
  },
  done: arrived,
  unconfirmed: arrived,
  failed: {
    ...withdrawn,
    triggering: ['send_keys_error'],
    fallback_resume: ['resume_failed'],
    spawn_recovery: ['spawn_failed'],
  },
  fell_back: {
    triggering: ['send_keys_ok', 'ack_timeout_exhausted'],
    awaiting_ack: ['ack_timeout_exhausted'],
    retrying: ['resend_ok', 'ack_timeout_exhausted'],
  },
}

/** In order; none where the event means nothing to a runtime in this state. */
export const runtimeEventsBy = (event: TriggerEvent, state: RuntimeState): readonly RuntimeEvent[] =>
  meanings[event][state] ?? []

/** `trigger_typed` → `typed`; undefined for events that are not about a trigger. */
export function triggerEventIn(kind: string): TriggerEvent | undefined {
  const event = kind.startsWith(PREFIX) ? kind.slice(PREFIX.length) : ''
  return Object.hasOwn(meanings, event) ? (event as TriggerEvent) : undefined
}
const PREFIX = 'trigger_'
