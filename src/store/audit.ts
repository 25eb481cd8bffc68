// Owns the audit rows: who did what, and when.
import type { Store } from '../ports/store.ts'
import type { AuditEntry } from '../ports/store-changes.ts'
import { type Holding, read, type Writing } from './database/holding.ts'

/** Pages are in the order in which rows were written, not of their times. A clock set back by less than this hides none. */
const CLOCK_SLACK_MS = 86_400_000

export const audit = (holding: Holding): Pick<Store, 'audits' | 'auditPage'> => ({
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

  auditPage: ({ since = 0, taskId, kind }, { after, most }) =>
    read(holding, async (db) => {
      const rows = await db
        .selectFrom('audit')
        .select(['id', 'at', 'kind', 'taskId', 'actor', 'detail'])
        .$if(taskId !== undefined, (query) => query.where('taskId', '=', taskId!))
        .$if(kind !== undefined, (query) => query.where('kind', '=', kind!))
        .$if(after !== null, (query) => query.where('id', '<', after!))
        .orderBy('id', 'desc')
        .limit(most)
        .execute()
      const last = rows.at(-1)
      const isOver = last === undefined || rows.length < most || last.at < since - CLOCK_SLACK_MS
      const items = rows.filter(({ at }) => at >= since).map(({ id: _, ...entry }) => entry)
      return { items, next: isOver ? null : last.id }
    }),
})

export async function writeAudit(
  { tx }: Writing,
  { at, kind, taskId, actor, detail }: AuditEntry,
): Promise<void> {
  await tx.insertInto('audit').values({ at, kind, taskId, actor, detail }).execute()
}
