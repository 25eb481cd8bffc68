import { auditKind } from '../domain/names/audit-kinds.ts'
import { isEnded } from '../domain/task/machine.ts'
import { nextTask } from '../domain/task/next-state.ts'
import type { Change } from '../ports/store/commits.ts'

/** Adds an audit row to a change that ends a task and has no audit row yet. */
export function withAuditOfEnd(change: Change): Change {
  const { task, audit } = change
  if (task === undefined || audit !== undefined || !isEnded(nextTask(task.from, task.event).to)) return change
  const { id: taskId, event, reason: detail, at } = task
  return { ...change, audit: { at, kind: auditKind(`task_${event}`), taskId, actor: 'holdfast', detail } }
}
