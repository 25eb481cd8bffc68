// Owns a trigger that waits for a person: somebody types in the terminal, or has left something there. Pure.
import type { KeptBack } from '../../domain/conversation/kept-back.ts'
import { keptText } from '../../domain/conversation/kept-back-text.ts'
import { type Evidence, saw } from '../../domain/task/evidence.ts'
import type { Input, Trigger } from '../../domain/task/input.ts'
import { durationText } from '../../domain/text/duration.ts'
import { WAITING_STATES } from '../../domain/trigger/machine.ts'
import type { TriggerMove } from '../../ports/store/triggers.ts'

/** A person is at the pane, or has been. */
const BY_PERSON: ReadonlySet<KeptBack['kind']> = new Set(['person_types', 'draft', 'history', 'differs'])

type Waiting = Trigger & { readonly stateAt: number }

export const isWaitingTrigger = (input: Input | undefined): input is Waiting =>
  input?.triggerId != null && input.state !== null && WAITING_STATES.includes(input.state)

/** What is to be stored about it now; undefined when its state says all. */
export function deferral(
  trigger: Waiting,
  why: KeptBack,
  now: number,
  deferMaxMs: number,
): TriggerMove | undefined {
  const { triggerId: id, state: from, code, stateAt } = trigger
  const step = { id, from, at: now, evidence: evidenceOf(why, now) }
  if (!BY_PERSON.has(why.kind))
    return from === 'deferred' && why.kind !== 'being_typed' ? { ...step, event: 'queued' } : undefined
  if (from !== 'deferred' || code === 'SEND_KEYS_ERROR')
    return { ...step, event: 'deferred', code: 'OPERATOR_BUSY' }
  if (code === 'DEFER_TIMEOUT' || now - stateAt < deferMaxMs) return undefined
  const waited = saw('clock', `it has waited for ${durationText(Math.round((now - stateAt) / 1000) * 1000)}`)
  return { ...step, event: 'deferred', code: 'DEFER_TIMEOUT', evidence: [...step.evidence, waited] }
}

const evidenceOf = (why: KeptBack, now: number): Evidence[] => [
  saw(why.kind === 'person_types' || why.kind === 'history' ? 'tmux' : 'screen', keptText(why, now)),
]

/** Its time is up, and nobody is there who could end what keeps it: only the history of the terminal is open. */
export const isLeftAlone = (
  { state, code, framed }: Trigger,
  why: KeptBack,
  { keyAgeMs }: { readonly keyAgeMs: number | null },
) =>
  state === 'deferred' &&
  code === 'DEFER_TIMEOUT' &&
  framed === 1 &&
  why.kind === 'history' &&
  keyAgeMs === null
