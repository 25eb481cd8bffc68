// Owns how far a sender waits for a trigger, and when waiting is over. Pure.
import type { TriggerCode } from './codes.ts'
import type { TriggerState } from './machine.ts'

export const TRIGGER_AIMS = ['submitted', 'acknowledged'] as const
export type TriggerAim = (typeof TRIGGER_AIMS)[number]

const REACHED: Readonly<Record<TriggerAim, readonly TriggerState[]>> = {
  submitted: ['submitted', 'acknowledged', 'done'],
  // A turn that is over is more than an acknowledgement.
  acknowledged: ['acknowledged', 'done'],
}
const OVER: readonly TriggerState[] = ['failed', 'unconfirmed']
/** It still waits, but nobody knows for how long. */
const NEEDS_A_PERSON: readonly TriggerCode[] = ['DEFER_TIMEOUT', 'SPAWN_FAILED']

/** `over`: it failed, nobody knows, or it waits for a person for longer than anybody should wait. */
export function isReached(
  { state, code }: { readonly state: TriggerState; readonly code: TriggerCode | null },
  aim: TriggerAim,
): 'reached' | 'over' | 'not_yet' {
  if (REACHED[aim].includes(state)) return 'reached'
  return OVER.includes(state) || (code !== null && NEEDS_A_PERSON.includes(code)) ? 'over' : 'not_yet'
}
