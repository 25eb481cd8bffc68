// Owns what a step of a task means for what belongs to the task: questions, result, parent, waiting prompts.
import { newsIn } from '../domain/task/child-news.ts'
import { isEnded, type TaskEvent } from '../domain/task/machine.ts'
import { nextTask } from '../domain/task/next-state.ts'
import type { PhaseChange } from '../domain/task/state.ts'
import type { TaskMove } from '../ports/store/tasks.ts'

export type Move = PhaseChange &
  Omit<TaskMove, 'event' | 'closesQuestions' | 'voidsResult' | 'tellsParent' | 'waitingPrompts'>

/**
 * One step of a task. The step decides whether the task's open questions and its last result are still valid, what its
 * parent is told, and what becomes of prompts that wait.
 */
export const moveTask = (move: Move): TaskMove => ({
  ...move,
  closesQuestions: closesQuestions(move),
  voidsResult: move.event === 'turn_began',
  tellsParent: newsIn(move.event),
  waitingPrompts: waitingPrompts(move),
})

/** Events that end a run. The questions of its agent are then over, too. */
const ENDS_RUN: ReadonlySet<TaskEvent> = new Set([
  'backed_off',
  'parked',
  'waiting_began',
  'person_stopped',
  'escalated',
  'verifying',
])

function waitingPrompts({ from, event }: Move): TaskMove['waitingPrompts'] {
  if (isEnded(nextTask(from, event).to)) return 'give_up'
  return event === 'reopened' ? 'queue_again' : 'leave'
}

function closesQuestions({ from, event }: Move): boolean {
  const { to } = nextTask(from, event)
  return to === 'pending' || isEnded(to) || ENDS_RUN.has(event)
}
