// Owns what is remembered of a terminal run's screen from one look to the next. Pure.

import type { Task } from '../../domain/task/task.ts'
import { dialogIn, isAtRest, type ScreenPhase, type ScreenReading } from '../../ports/run/screen.ts'
import { isTurnOver } from '../inputs/turn-over.ts'

export type ScreenSeen = {
  readonly phase: ScreenPhase
  /** The text of the dialog on the screen; undefined when there is none. */
  readonly dialog: string | undefined
  /** How many looks in a row have seen this phase, and the same dialog. */
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
  reading: ScreenReading,
  task: Pick<Task, 'phase'>,
  activeAt: number,
): ScreenSeen => {
  const { phase } = reading
  const dialog = dialogIn(reading)
  const isSame = before?.phase === phase && before.dialog === dialog
  return {
    phase,
    dialog,
    looks: isSame ? before.looks + 1 : 1,
    activeAt,
    worked: phase === 'working' || phase === 'asking' || before?.worked === true,
    changed: before !== null && (before.changed || before.phase !== phase),
    rested: isTurnOver(task) && (isAtRest(reading) || before?.rested === true),
  }
}

/** The state at the moment when something is said: what the screen shows from now on belongs to that. */
export const seenWhenSaid = (reading: ScreenReading, activeAt: number): ScreenSeen => ({
  phase: reading.phase,
  dialog: dialogIn(reading),
  looks: 0,
  activeAt,
  worked: false,
  changed: false,
  rested: false,
})
