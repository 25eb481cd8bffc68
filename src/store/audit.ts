// Owns the record of who did what.
import type { AuditEntry, Store } from '../ports/store.ts'
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
