// Owns building changes: small parts with the rules that belong to them. Pure.
import { auditKind } from '../../domain/names/audit-kinds.ts'
import { isEnded, type TaskEvent } from '../../domain/task/machine.ts'
import { nextTask } from '../../domain/task/next-state.ts'
import type { PhaseChange } from '../../domain/task/state.ts'
import type { Input } from '../../domain/task/task.ts'
import type { Change, Saying, TaskMove } from '../../ports/store-changes.ts'

/** These end a run. What its agent asked ends with it. */
const ENDS_RUN: ReadonlySet<TaskEvent> = new Set([
  'backed_off',
  'parked',
  'waiting_began',
  'person_stopped',
  'escalated',
  'verifying',
])

export type Move = PhaseChange & Omit<TaskMove, 'event' | 'closesQuestions' | 'voidsResult'>

/** One step of a task, with what follows from it for its questions and its last result. */
export const moveTask = (move: Move): TaskMove => ({
  ...move,
  closesQuestions: closesQuestions(move),
  voidsResult: move.event === 'turn_began',
})

function closesQuestions({ from, event }: Move): boolean {
  const { to } = nextTask(from, event)
  return to === 'pending' || isEnded(to) || ENDS_RUN.has(event)
}

/** A task's end is on the record, also when what ended it brings no row of its own. */
export function withAuditOfEnd(change: Change): Change {
  const { task, audit } = change
  if (task === undefined || audit !== undefined || !isEnded(nextTask(task.from, task.event).to)) return change
  const { id: taskId, event, reason: detail, at } = task
  return { ...change, audit: { at, kind: auditKind(`task_${event}`), taskId, actor: 'holdfast', detail } }
}

/** These begin a turn. */
const BEGINS_TURN: ReadonlySet<Input['kind']> = new Set(['prompt', 'continuation'])

/** An input that is given to a run now. */
export const sayInput = (
  { taskId, number, kind }: Pick<Input, 'taskId' | 'number' | 'kind'>,
  to: Pick<Saying, 'runId' | 'at' | 'written'>,
): Saying => ({ taskId, number, ...to, voidsResult: BEGINS_TURN.has(kind) })
