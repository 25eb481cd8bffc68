// Owns archiving and removing ended tasks, and deleting old events, audit rows, orders and runs.
import { type NotNull, sql } from 'kysely'
import { HoldfastError } from '../domain/errors.ts'
import { ENDED } from '../domain/task/machine.ts'
import type { Change } from '../ports/store/commits.ts'
import type { Store } from '../ports/store/store.ts'
import { type Holding, read, type Tx, type Writing, write } from './database/holding.ts'
import { whenGiven } from './database/when-given.ts'
import { appendEvent } from './journal/append-events.ts'
import { countArchived, uncountTask } from './journal/counters.ts'
import { pruneEvents } from './journal/prune-events.ts'
import { checkExists, lockTask } from './lock-task.ts'
import { pruneNotices } from './notices/prune-notices.ts'
import { pruneOrders } from './order-rows.ts'
import { pruneRequestKeys } from './request-keys.ts'
import { pruneThreads } from './threads/prune-threads.ts'
import { pruneTold } from './threads/prune-told.ts'

export const retention = (holding: Holding): Pick<Store, 'archivable' | 'prune'> => ({
  archivable: (endedBefore, most, { statuses = ENDED, after, archived = false } = {}) =>
    read(holding, async (db) => {
      if (statuses.length === 0) return []
      return (
        db
          .selectFrom('tasks')
          .select(['id', 'endedAt'])
          .where('nodeId', '=', holding.nodeId)
          .where('tidied', '=', 1)
          .where('status', 'in', statuses)
          // A stopped runtime is kept until it is removed as such.
          .where('runtime', 'is', null)
          .$if(!archived, (query) => query.where('archivedAt', 'is', null))
          .where('endedAt', '<', endedBefore)
          .$narrowType<{ endedAt: NotNull }>()
          .$call(
            whenGiven(after, (query, { endedAt, id }) =>
              query.where(sql<boolean>`(${sql.ref('endedAt')}, ${sql.ref('id')}) > (${endedAt}, ${id})`),
            ),
          )
          .orderBy('endedAt')
          .orderBy('id')
          .limit(most)
          .execute()
      )
    }),

  async prune({ eventsBefore, eventsBeforeAll, auditBefore, runsBefore, messagesBefore }, most) {
    const events = await write(holding, (tx) => pruneEvents(tx, { eventsBefore, eventsBeforeAll }, most))
    await write(holding, (tx) => pruneTold(tx, holding, eventsBefore, most))
    await write(holding, (tx) => pruneNotices(tx, eventsBefore, most))
    return {
      ...events,
      ...(await write(holding, (tx) => pruneThreads(tx, messagesBefore, most))),
      audit: await write(holding, (tx) => pruneAudit(tx, auditBefore, most)),
      runs: await write(holding, (tx) => pruneRuns(tx, holding, runsBefore, most)),
    }
  },
})

/** TRANSITION_CONFLICT unless the task has ended, is tidied, belongs to this node and is not archived yet. */
export async function archiveTask(
  writing: Writing,
  { id, at }: NonNullable<Change['archive']>,
): Promise<void> {
  const { tx, nodeId } = writing
  const archived = await tx
    .updateTable('tasks')
    .set({ archivedAt: at })
    .where('id', '=', id)
    .where('nodeId', '=', nodeId)
    .where('tidied', '=', 1)
    .where('status', 'in', ENDED)
    .where('archivedAt', 'is', null)
    .returning('status')
    .executeTakeFirst()
  if (archived === undefined) {
    await checkExists(tx, id)
    throw new HoldfastError('TRANSITION_CONFLICT', `Task ${id} is archived already, or not yet over.`)
  }
  appendEvent(writing, { at, kind: 'task_archived', taskId: id, data: archived })
  countArchived(writing, archived.status, 1)
}

export async function removeTask(writing: Writing, { id, at }: NonNullable<Change['remove']>): Promise<void> {
  const { tx, nodeId } = writing
  await lockTask(writing, id)
  const removable = await tx
    .selectFrom('tasks')
    .select(['status', 'archivedAt'])
    .where('id', '=', id)
    .where('nodeId', '=', nodeId)
    .where('tidied', '=', 1)
    .where('status', 'in', ENDED)
    .executeTakeFirst()
  if (removable === undefined)
    throw new HoldfastError(
      'TASK_ACTIVE',
      `Task ${id} has not ended, or is not tidied up yet: try again in a moment.`,
    )
  await tx
    .deleteFrom('triggerSteps')
    .where('triggerId', 'in', (from) =>
      from
        .selectFrom('inputs')
        .select('inputs.triggerId')
        .where('inputs.taskId', '=', id)
        .where('inputs.triggerId', 'is not', null)
        .$narrowType<{ triggerId: NotNull }>(),
    )
    .execute()
  for (const table of [
    'taskTags',
    'requestKeys',
    'taskTransitions',
    'runs',
    'inputs',
    'questions',
    'orders',
  ] as const)
    await tx.deleteFrom(table).where('taskId', '=', id).execute()
  await tx.deleteFrom('tasks').where('id', '=', id).execute()
  const { status, archivedAt } = removable
  appendEvent(writing, { at, kind: 'task_removed', taskId: id, data: { status } })
  uncountTask(writing, status, { isArchived: archivedAt !== null })
}

/** Settled orders and the keys of requests are kept as long as audit rows. */
async function pruneAudit(tx: Tx, before: number, most: number): Promise<number> {
  await pruneOrders(tx, before, most)
  await pruneRequestKeys(tx, before)
  const { numDeletedRows } = await tx
    .deleteFrom('audit')
    .where('id', 'in', (from) =>
      from.selectFrom('audit').select('id').where('at', '<', before).orderBy('at').limit(most),
    )
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}

/** Keeps all runs of tasks that may go on, and the last run of each ended task: it says how the task ended. */
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
