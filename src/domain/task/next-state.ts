// Owns the next state of a task and of a run, by their tables.
import { HoldfastError } from '../errors.ts'
import { type RunEvent, type RunState, runTransitions } from '../run/machine.ts'
import { type StatusBefore, type Step, type TaskEvent, taskTransitions } from './machine.ts'

/** Every change of a task's status and phase goes through here. */
export function nextTask(from: StatusBefore, event: TaskEvent): Step {
  const step = taskTransitions[from][event]
  if (step === undefined)
    throw new HoldfastError('INVALID_TRANSITION', `A ${from} task cannot take '${event}'.`)
  return step
}

/** Every change of a run's state goes through here. */
export function nextRun(from: RunState, event: RunEvent): RunState {
  const to = runTransitions[from][event]
  if (to === undefined) throw new HoldfastError('INVALID_TRANSITION', `A ${from} run cannot take '${event}'.`)
  return to
}
