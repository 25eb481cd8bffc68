// Owns what grows old: ended tasks are archived, and what nobody asks for any more is forgotten.
import { ENDED } from '../domain/task-machine.ts'
import type { Store } from '../ports/store.ts'
import { writeEvent } from './events.ts'
import { type Holding, read, type Tx, write } from './holding.ts'
import { checkExists } from './lock-task.ts'
import { SUMMARY, summaryOf } from './tasks.ts'

export const retention = (holding: Holding): Pick<Store, 'archivable' | 'markArchived' | 'prune'> => ({
  archivable: (endedBefore, most, statuses = ENDED) =>
    read(holding, async (db) => {
      if (statuses.length === 0) return []
      const rows = await db
        .selectFrom('tasks')
        .select(SUMMARY)
        .where('nodeId', '=', holding.nodeId)
        .where('tidied', '=', 1)
        .where('status', 'in', statuses)
        .where('archivedAt', 'is', null)
        .where('endedAt', '<', endedBefore)
        .orderBy('endedAt')
        .orderBy('id')
        .limit(most)
        .execute()
      return rows.map(summaryOf)
    }),

  markArchived: (id, at) =>
    write(holding, async (tx) => {
      const archived = await tx
        .updateTable('tasks')
        .set({ archivedAt: at })
        .where('id', '=', id)
        .where('nodeId', '=', holding.nodeId)
        .where('tidied', '=', 1)
        .where('status', 'in', ENDED)
        .where('archivedAt', 'is', null)
        .returning('status')
        .executeTakeFirst()
      if (archived === undefined) {
        await checkExists(tx, id)
        return false
      }
      await writeEvent(tx, holding, { at, kind: 'task_archived', taskId: id, data: archived })
      return true
    }),

  prune: async ({ eventsBefore, auditBefore, runsBefore }, most) => ({
    events: await write(holding, (tx) => pruneEvents(tx, eventsBefore, most)),
    audit: await write(holding, (tx) => pruneAudit(tx, auditBefore, most)),
    runs: await write(holding, (tx) => pruneRuns(tx, holding, runsBefore, most)),
  }),
})

/** Only from the front, whatever the clock did meanwhile: what is left has no gaps. */
async function pruneEvents(tx: Tx, before: number, most: number): Promise<number> {
  const oldest = await tx.selectFrom('events').select(['seq', 'at']).orderBy('seq').limit(most).execute()
  const kept = oldest.findIndex(({ at }) => at >= before)
  const last = (kept === -1 ? oldest : oldest.slice(0, kept)).at(-1)
  if (last === undefined) return 0
  const { numDeletedRows } = await tx
    .deleteFrom('events')
    .where('seq', '<=', last.seq)
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}

async function pruneAudit(tx: Tx, before: number, most: number): Promise<number> {
  const { numDeletedRows } = await tx
    .deleteFrom('audit')
    .where('id', 'in', (from) =>
      from.selectFrom('audit').select('id').where('at', '<', before).orderBy('at').limit(most),
    )
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}

/** A task that may go on needs its runs, and the last one tells how an ended task ended. */
async function pruneRuns(tx: Tx, { nodeId }: Holding, before: number, most: number): Promise<number> {
  const { numDeletedRows } = await tx
    .deleteFrom('runs')
    .where('id', 'in', (from) =>
      from
        .selectFrom('runs as old')
        .select('old.id')
        .where('old.nodeId', '=', nodeId)
        .where('old.endedAt', '<', before)
        .where(({ exists, selectFrom }) =>
          exists(
            selectFrom('runs as later')
              .select('later.id')
              .whereRef('later.taskId', '=', 'old.taskId')
              .whereRef('later.number', '>', 'old.number'),
          ),
        )
        .where(({ exists, selectFrom }) =>
          exists(
            selectFrom('tasks')
              .select('tasks.id')
              .whereRef('tasks.id', '=', 'old.taskId')
              .where('tasks.status', 'in', ENDED),
          ),
        )
        .orderBy('old.endedAt')
        .limit(most),
    )
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}
