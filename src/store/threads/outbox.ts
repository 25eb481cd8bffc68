// Owns the rows of what is still to be told: written with the event they tell of, and once.
import { HoldfastError } from '../../domain/errors.ts'
import type { JournalEvent } from '../../domain/journal/events.ts'
import type { TaskId } from '../../domain/names/ids.ts'
import { canBeTold } from '../../domain/task/parent-wake.ts'
import type { Task } from '../../domain/task/task.ts'
import type { Change } from '../../ports/store/commits.ts'
import { type OutboxDraft, type OutboxReads, PARENTS, TOLD } from '../../ports/store/outbox.ts'
import { type Holding, type NewsOfEvent, read, type Writing } from '../database/holding.ts'
import { appendEvent } from '../journal/append-events.ts'

export const outbox = (holding: Holding): OutboxReads => ({
  unboundFor: (parentId) =>
    read(holding, (db) =>
      db
        .selectFrom('outbox')
        .selectAll()
        .where('parentId', '=', parentId)
        .where('boundTrigger', 'is', null)
        .orderBy('nodeId')
        .orderBy('seq')
        .execute(),
    ),

  outboxRow: ({ subscriber, nodeId, seq }) =>
    read(holding, (db) =>
      db
        .selectFrom('outbox')
        .selectAll()
        .where('subscriber', '=', subscriber)
        .where('nodeId', '=', nodeId)
        .where('seq', '=', seq)
        .executeTakeFirst(),
    ),

  parentsToTell: () =>
    read(holding, async (db) => {
      const rows = await db
        .selectFrom('outbox')
        .innerJoin('tasks', 'tasks.id', 'outbox.parentId')
        .select('tasks.id')
        .distinct()
        .where('outbox.boundTrigger', 'is', null)
        .where('tasks.nodeId', '=', holding.nodeId)
        .orderBy('tasks.id')
        .execute()
      return rows.map(({ id }) => id)
    }),
})

/**
 * A child has moved: its parent, or the nearest ancestor that lives, is told. A runtime that is stopped is told when it is
 * started again. The row is written with the number of the event.
 */
export async function tellParent(
  writing: Writing,
  parentId: TaskId,
  news: Omit<NewsOfEvent, 'parentId'>,
): Promise<void> {
  const told = { ...news, parentId: await nearestLivingAncestor(writing, parentId) }
  writing.news.push(told)
  appendChildNews(writing, told)
}

/** The ancestor's row stays locked until the commit: it cannot end in between, and so without what is told to it here. */
async function nearestLivingAncestor({ tx, backend }: Writing, id: TaskId): Promise<TaskId | null> {
  for (let up: TaskId | null = id; up !== null; ) {
    const task: Pick<Task, 'status' | 'parentId' | 'runtime'> | undefined = await tx
      .selectFrom('tasks')
      .select(['status', 'parentId', 'runtime'])
      .where('id', '=', up)
      .$if(backend.locksRows, (query) => query.forShare())
      .executeTakeFirst()
    if (task === undefined) return null
    if (canBeTold(task)) return up
    up = task.parentId
  }
  return null
}

/** `events`: those of this transaction, numbered, in the order in which they were appended. */
export async function writeNews(
  { tx, nodeId, events: drafts, news }: Writing,
  events: readonly JournalEvent[],
): Promise<void> {
  const rows = news.flatMap(({ event, ...row }) => {
    const seq = events[drafts.indexOf(event)]?.seq
    return seq === undefined ? [] : [{ ...row, subscriber: PARENTS, nodeId, seq, boundTrigger: null }]
  })
  if (rows.length > 0) await tx.insertInto('outbox').values(rows).execute()
}

/** An event that is handled a second time leaves its row as it is, and tells nothing. */
export async function putIntoOutbox(writing: Writing, row: NonNullable<Change['outbox']>): Promise<void> {
  const { numInsertedOrUpdatedRows } = await writing.tx
    .insertInto('outbox')
    .values({ ...row, boundTrigger: null })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow()
  if (numInsertedOrUpdatedRows !== 0n) appendChildNews(writing, row)
}

function appendChildNews(
  writing: Writing,
  { parentId: taskId, childId: child, what }: Pick<OutboxDraft, 'parentId' | 'childId' | 'what'>,
): void {
  if (taskId === null) return
  appendEvent(writing, { at: writing.now(), kind: 'child_news', taskId, data: { child, what } })
}

/** `by`: the trigger that tells of them; null when it knows without one. */
export async function bindOutbox(
  { tx }: Writing,
  { parentId, rows }: NonNullable<Change['bindOutbox']>,
  by: string | null,
): Promise<void> {
  for (const { subscriber, nodeId, seq } of rows) {
    const { numUpdatedRows } = await tx
      .updateTable('outbox')
      .set({ boundTrigger: by ?? TOLD })
      .where('subscriber', '=', subscriber)
      .where('nodeId', '=', nodeId)
      .where('seq', '=', seq)
      .where('parentId', '=', parentId)
      .where('boundTrigger', 'is', null)
      .executeTakeFirstOrThrow()
    if (numUpdatedRows === 0n)
      throw new HoldfastError('TRANSITION_CONFLICT', `${parentId} was told of event ${seq} before.`)
  }
}

/** Those that a trigger tells of stay where they are. */
export async function readdressOutbox(
  writing: Writing,
  { from, to }: NonNullable<Change['readdress']>,
): Promise<void> {
  const rows = await writing.tx
    .updateTable('outbox')
    .set({ parentId: to })
    .where('parentId', '=', from)
    .where('boundTrigger', 'is', null)
    .returning(['parentId', 'childId', 'what'])
    .execute()
  for (const row of rows) appendChildNews(writing, row)
}
