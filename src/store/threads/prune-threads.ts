// Owns deleting old messages, and threads in which nothing was posted for as long.
import { sql } from 'kysely'
import type { Pruned } from '../../ports/store/retention.ts'
import type { Tx } from '../database/holding.ts'

export async function pruneThreads(
  tx: Tx,
  before: number,
  most: number,
): Promise<Pick<Pruned, 'messages' | 'threads'>> {
  const messages = await tx
    .deleteFrom('messages')
    .where(sql<boolean>`(${sql.ref('threadId')}, ${sql.ref('number')}) in ${oldMessages(tx, before, most)}`)
    .executeTakeFirstOrThrow()
  const quiet = await tx
    .selectFrom('threads')
    .select('id')
    .where((eb) => eb(eb.fn.coalesce('lastAt', 'createdAt'), '<', before))
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('messages').select('messages.number').whereRef('messages.threadId', '=', 'threads.id'),
        ),
      ),
    )
    .limit(most)
    .execute()
  const ids = quiet.map(({ id }) => id)
  if (ids.length > 0) {
    for (const table of ['threadMembers', 'readCursors'] as const)
      await tx.deleteFrom(table).where('threadId', 'in', ids).execute()
    await tx.deleteFrom('threads').where('id', 'in', ids).execute()
  }
  return { messages: Number(messages.numDeletedRows), threads: ids.length }
}

/** A thread cannot have messages that are older than itself, and there are far fewer threads. */
const oldMessages = (tx: Tx, before: number, most: number) =>
  tx
    .selectFrom('messages')
    .innerJoin('threads', 'threads.id', 'messages.threadId')
    .select(['messages.threadId', 'messages.number'])
    .where('threads.createdAt', '<', before)
    .where('messages.at', '<', before)
    .limit(most)
