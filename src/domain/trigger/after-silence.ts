// Owns what follows when no acknowledgement of a trigger comes: it is awaited a little longer, then the facts decide. Pure.
import type { TriggerState } from './machine.ts'

export type AckTerms = {
  readonly timeoutMs: number
  readonly retries: number
  /** The first further wait; each one after it is twice as long. */
  readonly backoffMs: number
  readonly resumeAttempts: number
}

export type SilenceFacts = {
  readonly state: TriggerState
  /** Epoch ms: since when an acknowledgement is awaited. */
  readonly since: number
  /** How often it was awaited longer already. */
  readonly late: number
  /** How often its run was ended and resumed for it. */
  readonly fallbacks: number
  readonly isAlive: boolean
  /** The agent waits for a prompt: nothing of it is under way. */
  readonly isIdle: boolean
  /** A turn began after the submission: that alone proves that it was delivered. */
  readonly hasTurnBegun: boolean
  readonly now: number
}

export type AfterSilence =
  | { readonly kind: 'wait'; readonly until: number }
  /** Its time is up once more: noted, and awaited on. */
  | { readonly kind: 'wait_longer'; readonly until: number }
  /** A living agent at its turn is never ended for want of an acknowledgement. */
  | { readonly kind: 'unconfirmed' }
  /** Its submission is disproved: the run is ended, and resumed with it. */
  | { readonly kind: 'fall_back' }
  | { readonly kind: 'give_up' }
  /** Neither proved nor disproved: a dialog is open, or nobody can tell. */
  | { readonly kind: 'leave' }

export function afterSilence(facts: SilenceFacts, terms: AckTerms): AfterSilence {
  const due = facts.since + patienceMs(facts.late, terms)
  if (facts.now < due) return { kind: 'wait', until: due }
  if (facts.late < terms.retries)
    return { kind: 'wait_longer', until: facts.since + patienceMs(facts.late + 1, terms) }
  if (facts.isAlive && facts.hasTurnBegun) return { kind: 'unconfirmed' }
  if (facts.isAlive && !facts.isIdle) return { kind: 'leave' }
  return facts.fallbacks < terms.resumeAttempts ? { kind: 'fall_back' } : { kind: 'give_up' }
}

/** 8 s, then 2 s and 4 s more: 8, 10, 14 s since the submission. */
const patienceMs = (late: number, { timeoutMs, backoffMs }: AckTerms) =>
  timeoutMs + backoffMs * (2 ** late - 1)
