// Owns the audit rows: who did what, and when.

import type { AuditEntry } from '../ports/store/audit.ts'
import type { Store } from '../ports/store/store.ts'
import { type Holding, read, type Writing } from './database/holding.ts'
import { whenGiven } from './database/when-given.ts'

/** Pages are in the order in which rows were written, not of their times. A clock set back by less than this hides none. */
const CLOCK_SLACK_MS = 86_400_000

export const audit = (holding: Holding): Pick<Store, 'audits' | 'auditPage'> => ({
  audits: ({ since, taskId, kind, limit }) =>
    read(holding, (db) =>
      db
        .selectFrom('audit')
        .select(['at', 'kind', 'taskId', 'actor', 'detail'])
        .$call(whenGiven(since, (query, at) => query.where('at', '>=', at)))
        .$call(whenGiven(taskId, (query, id) => query.where('taskId', '=', id)))
        .$call(whenGiven(kind, (query, one) => query.where('kind', '=', one)))
        .orderBy('id', 'desc')
        .$call(whenGiven(limit, (query, most) => query.limit(most)))
        .execute(),
    ),

  auditPage: ({ since = 0, taskId, kind }, { after, most }) =>
    read(holding, async (db) => {
      const rows = await db
        .selectFrom('audit')
        .select(['id', 'at', 'kind', 'taskId', 'actor', 'detail'])
        .$call(whenGiven(taskId, (query, id) => query.where('taskId', '=', id)))
        .$call(whenGiven(kind, (query, one) => query.where('kind', '=', one)))
        .$call(whenGiven(after, (query, id) => query.where('id', '<', id)))
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
