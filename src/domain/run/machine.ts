// Owns the states of a run, which is the life of one agent process, and how they change.

export const RUN_STATES = ['launching', 'live', 'exited', 'void', 'lost'] as const
export type RunState = (typeof RUN_STATES)[number]
export type RunEvent = 'started' | 'exited' | 'voided' | 'lost'

/** A run can exit before it was seen live, when its agent ends quickly. A run is voided when its agent can never start. */
export const runTransitions: Readonly<Record<RunState, Readonly<Partial<Record<RunEvent, RunState>>>>> = {
  launching: { started: 'live', exited: 'exited', voided: 'void', lost: 'lost' },
  live: { exited: 'exited', lost: 'lost' },
  exited: {},
  void: {},
  lost: {},
}
export const isOver = (state: RunState) => Object.keys(runTransitions[state]).length === 0
