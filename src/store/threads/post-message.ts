// Owns posting: under the thread's lock, so that numbers have no gaps and the safeguard decides on what is stored.
import { HoldfastError } from '../../domain/errors.ts'
import { fingerprintOf } from '../../domain/thread/fingerprint.ts'
import { isPersonName } from '../../domain/thread/participant.ts'
import { guardPost } from '../../domain/thread/safeguard.ts'
import type { Message } from '../../domain/thread/thread.ts'
import type { MessageDraft } from '../../ports/store/threads.ts'
import type { Writing } from '../database/holding.ts'
import { appendEvent } from '../journal/append-events.ts'
import { messageOf } from './read-threads.ts'
import { addMember, blockThread, lockThread } from './write-threads.ts'

/** The stored message. One that comes again with its key is the one that was stored then, and nothing is written. */
export async function postMessage(writing: Writing, draft: MessageDraft): Promise<Message> {
  const { limits, ...post } = draft
  const { threadId, author, kind, at } = post
  const thread = await lockThread(writing, threadId)
  const before = await postedBefore(writing, draft)
  if (before !== undefined) return before
  const isPersons = isPersonName(author)
  if (thread.state === 'blocked' && !isPersons)
    throw new HoldfastError(
      'THREAD_AUTO_BLOCKED',
      `Thread ${threadId} is blocked: ${thread.blockedWhy}. The message was not posted.`,
    )
  const number = thread.lastNumber + 1
  const fingerprint = kind === 'finding' ? fingerprintOf(post.text, post.refs) : null
  const same = await countSame(writing, draft, fingerprint, thread.guardedAfter)
  const { why, ...guarded } = guardPost(thread, { kind, isPersons, ...same }, number, limits)
  const message = { ...post, number, fingerprint }
  await writing.tx
    .insertInto('messages')
    .values({ ...message, refs: JSON.stringify(post.refs) })
    .execute()
  await writing.tx
    .updateTable('threads')
    .set({ ...guarded, lastNumber: number, lastAt: at })
    .where('id', '=', threadId)
    .execute()
  await addMember(writing, threadId, author)
  const data = { thread: threadId, number, author, kind }
  appendEvent(writing, { at, kind: 'message_posted', taskId: null, data })
  if (why !== null) await blockThread(writing, { id: threadId, why, at })
  return message
}

/** KEY_REUSED when the author posted something else with this key. */
async function postedBefore({ tx }: Writing, draft: MessageDraft): Promise<Message | undefined> {
  if (draft.key === null) return undefined
  const row = await tx
    .selectFrom('messages')
    .selectAll()
    .where('threadId', '=', draft.threadId)
    .where('author', '=', draft.author)
    .where('key', '=', draft.key)
    .executeTakeFirst()
  if (row === undefined) return undefined
  const message = messageOf(row)
  const isSame =
    message.text === draft.text &&
    message.kind === draft.kind &&
    JSON.stringify(message.refs) === JSON.stringify(draft.refs)
  if (isSame) return message
  throw new HoldfastError(
    'KEY_REUSED',
    `Message ${message.number} of thread ${draft.threadId} was posted with this key, and says something else.`,
  )
}

async function countSame(
  { tx }: Writing,
  { threadId }: MessageDraft,
  fingerprint: string | null,
  since: number,
): Promise<{ sameBefore: number; sameSince: number }> {
  if (fingerprint === null) return { sameBefore: 0, sameSince: 0 }
  const rows = await tx
    .selectFrom('messages')
    .select('number')
    .where('threadId', '=', threadId)
    .where('fingerprint', '=', fingerprint)
    .execute()
  return { sameBefore: rows.length, sameSince: rows.filter(({ number }) => number > since).length }
}
