// Owns the record of who did what.
import { nextTask } from '../domain/next-state.ts'
import type { StopOrder } from '../domain/task.ts'
import { isEnded } from '../domain/task-machine.ts'
import type { Store } from '../ports/store.ts'
import type { AuditEntry, TaskMove } from '../ports/store-changes.ts'
import { type Holding, read, type Tx, write } from './holding.ts'

export const audit = (holding: Holding): Pick<Store, 'audit' | 'audits'> => ({
  audit: (entry) => write(holding, (tx) => writeAudit(tx, entry)),

  audits: ({ since, taskId, kind, limit }) =>
    read(holding, (db) =>
      db
        .selectFrom('audit')
        .select(['at', 'kind', 'taskId', 'actor', 'detail'])
        .$if(since !== undefined, (query) => query.where('at', '>=', since!))
        .$if(taskId !== undefined, (query) => query.where('taskId', '=', taskId!))
        .$if(kind !== undefined, (query) => query.where('kind', '=', kind!))
        .orderBy('id', 'desc')
        .$if(limit !== undefined, (query) => query.limit(limit!))
        .execute(),
    ),
})

export async function writeAudit(tx: Tx, { at, kind, taskId, actor, detail }: AuditEntry): Promise<void> {
  await tx.insertInto('audit').values({ at, kind, taskId, actor, detail }).execute()
}

/** A task's end is on the record, with who ordered it, also when the decision brings no row of its own. */
export async function auditEnd(tx: Tx, { id, from, event, reason, at }: TaskMove): Promise<void> {
  if (!isEnded(nextTask(from, event).to)) return
  const { stop } = await tx.selectFrom('tasks').select('stop').where('id', '=', id).executeTakeFirstOrThrow()
  const actor = stop === null ? 'holdfast' : (JSON.parse(stop) as StopOrder).by
  await writeAudit(tx, { at, kind: `task_${event}`, taskId: id, actor, detail: reason })
}
