// Owns how a run, one life of an agent process, moves.

export const RUN_STATES = ['launching', 'live', 'exited', 'void', 'lost'] as const
export type RunState = (typeof RUN_STATES)[number]
export type RunEvent = 'started' | 'exited' | 'voided' | 'lost'

/** A launching run may be found exited: the agent was quicker than we were. Only an unclaimed run can be voided. */
export const runTransitions: Readonly<Record<RunState, Readonly<Partial<Record<RunEvent, RunState>>>>> = {
  launching: { started: 'live', exited: 'exited', voided: 'void', lost: 'lost' },
  live: { exited: 'exited', lost: 'lost' },
  exited: {},
  void: {},
  lost: {},
}
export const isOver = (state: RunState) => Object.keys(runTransitions[state]).length === 0
