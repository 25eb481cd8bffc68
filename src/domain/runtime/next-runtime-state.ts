// Owns the next state of a runtime, by its table.
import { HoldfastError } from '../errors.ts'
import { type RuntimeBefore, type RuntimeEvent, type RuntimeState, runtimeTransitions } from './machine.ts'

/** The only way a runtime changes its state. */
export function nextRuntimeState(from: RuntimeBefore, event: RuntimeEvent): RuntimeState {
  const to = runtimeTransitions[from][event]
  if (to === undefined)
    throw new HoldfastError('INVALID_TRANSITION', `A runtime that is ${from} cannot take '${event}'.`)
  return to
}

/** Undefined where the event means nothing to a runtime in this state. */
export const stateAfter = (from: RuntimeState, event: RuntimeEvent): RuntimeState | undefined =>
  runtimeTransitions[from][event]
