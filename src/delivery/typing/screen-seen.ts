// Owns what is kept of a terminal run's screen from one look to the next. Pure.

import type { Phase } from '../../domain/task/machine.ts'
import type { Task } from '../../domain/task/task.ts'
import { isAtRest, type ScreenPhase, type ScreenReading } from '../../ports/screen.ts'

export type ScreenSeen = {
  readonly phase: ScreenPhase
  /** In how many looks on end. */
  readonly looks: number
  readonly activeAt: number
  /** It was seen at work. */
  readonly worked: boolean
  /** It has shown another phase than the first since something was said: what it shows is not the end of an earlier turn. */
  readonly changed: boolean
  /** It was seen at rest since its turn is over. */
  readonly rested: boolean
}

const IS_OVER: ReadonlySet<Phase | null> = new Set(['idle', 'stopped_by_person'])

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
  rested: IS_OVER.has(task.phase) && (isAtRest({ phase }) || before?.rested === true),
})

/** At the moment in which something was said: what it shows from here on is about that. */
export const seenWhenSaid = ({ phase }: Pick<ScreenReading, 'phase'>, activeAt: number): ScreenSeen => ({
  phase,
  looks: 0,
  activeAt,
  worked: false,
  changed: false,
  rested: false,
})
