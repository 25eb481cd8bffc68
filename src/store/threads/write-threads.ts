// Owns opening, blocking and continuing threads, and moving read cursors.
import { HoldfastError } from '../../domain/errors.ts'
import type { ThreadId } from '../../domain/names/ids.ts'
import type { CursorMove, ThreadBlock, ThreadContinuation, ThreadDraft } from '../../ports/store/threads.ts'
import { writeAudit } from '../audit.ts'
import type { Writing } from '../database/holding.ts'
import { appendEvent } from '../journal/append-events.ts'

/** TRANSITION_CONFLICT when its creator has opened one with this key. */
export async function createThread(writing: Writing, draft: ThreadDraft): Promise<void> {
  const { members, ...thread } = draft
  const { numInsertedOrUpdatedRows } = await writing.tx
    .insertInto('threads')
    .values({ ...thread, state: 'open', lastNumber: 0, turnsWithoutProgress: 0, guardedAfter: 0 })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow()
  if (numInsertedOrUpdatedRows === 0n)
    throw new HoldfastError('TRANSITION_CONFLICT', 'This thread was opened before.')
  for (const member of new Set([thread.createdBy, ...members])) await addMember(writing, thread.id, member)
  const { id, title, createdBy: by, createdAt: at } = thread
  appendEvent(writing, { at, kind: 'thread_created', taskId: null, data: { thread: id, title, by } })
}

export async function addMember({ tx }: Writing, threadId: ThreadId, member: string): Promise<void> {
  await tx
    .insertInto('threadMembers')
    .values({ threadId, member })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Held until the commit: whoever else writes to the thread waits. THREAD_NOT_FOUND when there is none. */
export async function lockThread({ tx, backend }: Writing, id: ThreadId) {
  const row = await tx
    .selectFrom('threads')
    .select(['state', 'blockedWhy', 'lastNumber', 'turnsWithoutProgress', 'guardedAfter'])
    .where('id', '=', id)
    .$if(backend.locksRows, (query) => query.forNoKeyUpdate())
    .executeTakeFirst()
  if (row === undefined) throw new HoldfastError('THREAD_NOT_FOUND', `There is no thread ${id}.`)
  return row
}

/** A cursor that is there already, or further on, stays and tells nothing. */
export async function moveReadCursor(writing: Writing, move: CursorMove): Promise<void> {
  const { threadId, reader, number, at } = move
  const { lastNumber } = await lockThread(writing, threadId)
  if (number > lastNumber)
    throw new HoldfastError(
      'INVALID_REQUEST',
      `Thread ${threadId} has no message ${number} yet: its last one is ${lastNumber}.`,
    )
  const { numInsertedOrUpdatedRows } = await writing.tx
    .insertInto('readCursors')
    .values({ threadId, reader, number, at })
    .onConflict((conflict) =>
      conflict
        .columns(['threadId', 'reader'])
        .doUpdateSet({ number, at })
        .where('readCursors.number', '<', number),
    )
    .executeTakeFirstOrThrow()
  if (numInsertedOrUpdatedRows === 0n) return
  const data = { thread: threadId, reader, number }
  appendEvent(writing, { at, kind: 'cursor_moved', taskId: null, data })
}

/** One that is blocked already stays so, for its first reason. */
export async function blockThread(writing: Writing, { id, why, at }: ThreadBlock): Promise<void> {
  const { state } = await lockThread(writing, id)
  if (state === 'blocked') return
  const code = 'THREAD_AUTO_BLOCKED'
  await writing.tx
    .updateTable('threads')
    .set({ state: 'blocked', blockedCode: code, blockedWhy: why, blockedAt: at })
    .where('id', '=', id)
    .execute()
  appendEvent(writing, { at, kind: 'thread_blocked', taskId: null, data: { thread: id, code, why } })
  await writeAudit(writing, {
    at,
    kind: 'thread_blocked',
    taskId: null,
    actor: 'holdfast',
    detail: `${id}: ${why}`,
  })
}

/** TRANSITION_CONFLICT when it is not blocked. The safeguard begins to count anew. */
export async function continueThread(
  writing: Writing,
  { id, by, why, at }: ThreadContinuation,
): Promise<void> {
  const { state, lastNumber } = await lockThread(writing, id)
  if (state !== 'blocked') throw new HoldfastError('TRANSITION_CONFLICT', `Thread ${id} is not blocked.`)
  await writing.tx
    .updateTable('threads')
    .set({
      state: 'open',
      blockedCode: null,
      blockedWhy: null,
      blockedAt: null,
      turnsWithoutProgress: 0,
      guardedAfter: lastNumber,
    })
    .where('id', '=', id)
    .execute()
  appendEvent(writing, { at, kind: 'thread_continued', taskId: null, data: { thread: id, by, why } })
}
