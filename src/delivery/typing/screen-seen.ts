// Owns what is remembered of a terminal run's screen from one look to the next. Pure.

import type { Task } from '../../domain/task/task.ts'
import { isAtRest, type ScreenPhase, type ScreenReading } from '../../ports/run/screen.ts'
import { isTurnOver } from '../inputs/turn-over.ts'

export type ScreenSeen = {
  readonly phase: ScreenPhase
  /** How many looks in a row have seen this phase. */
  readonly looks: number
  /** The pane's `activeAt`: epoch seconds. */
  readonly activeAt: number
  /** The agent was seen at work since something was said. */
  readonly worked: boolean
  /** The phase has changed since something was said: the screen does not show the end of an earlier turn any more. */
  readonly changed: boolean
  /** The agent was seen at rest after its turn was over. */
  readonly rested: boolean
}

export const seenAfter = (
  before: ScreenSeen | null,
  { phase }: Pick<ScreenReading, 'phase'>,
  task: Pick<Task, 'phase'>,
  activeAt: number,
): ScreenSeen => ({
  phase,
  looks: before?.phase === phase ? before.looks + 1 : 1,
  activeAt,
  worked: phase === 'working' || phase === 'asking' || before?.worked === true,
  changed: before !== null && (before.changed || before.phase !== phase),
  rested: isTurnOver(task) && (isAtRest({ phase }) || before?.rested === true),
})

/** The state at the moment when something is said: what the screen shows from now on belongs to that. */
export const seenWhenSaid = ({ phase }: Pick<ScreenReading, 'phase'>, activeAt: number): ScreenSeen => ({
  phase,
  looks: 0,
  activeAt,
  worked: false,
  changed: false,
  rested: false,
})
