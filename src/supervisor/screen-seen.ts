// Owns what is kept of a terminal run's screen from one look to the next. Pure.
import type { Task } from '../domain/task.ts'
import type { ScreenPhase, ScreenReading } from '../ports/screen.ts'

export type ScreenSeen = {
  readonly phase: ScreenPhase
  /** In how many looks on end. */
  readonly looks: number
  readonly activeAt: number
  /** It was seen at work. */
  readonly worked: boolean
  /** It was seen at rest since its task is idle. */
  readonly rested: boolean
}

export const isQuiet = ({ phase }: Pick<ScreenReading, 'phase'>) =>
  phase === 'idle' || phase === 'error' || phase === 'limit'

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
  rested: task.phase === 'idle' && (isQuiet({ phase }) || before?.rested === true),
})
