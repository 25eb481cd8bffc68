// Owns reading threads, their messages, and how far each reader has come.
import { type Kysely, type Selectable, sql } from 'kysely'
import type { ThreadId } from '../../domain/names/ids.ts'
import type { Block, Message, Thread } from '../../domain/thread/thread.ts'
import type { ThreadReads } from '../../ports/store/threads.ts'
import { type Holding, read } from '../database/holding.ts'
import type { MessageTable, Tables, ThreadTable } from '../database/schema.ts'
import { whenGiven } from '../database/when-given.ts'

export const threads = (holding: Holding): ThreadReads => ({
  thread: (id) => read(holding, (db) => storedThread(db, id)),

  threads: ({ blocked, member }, { after, most }) =>
    read(holding, async (db) => {
      const rows = await db
        .selectFrom('threads')
        .selectAll()
        .$call(
          whenGiven(blocked, (query, is) => query.where('state', '=', is ? ('blocked' as const) : 'open')),
        )
        .$call(
          whenGiven(member, (query, who) =>
            query.where('id', 'in', (from) =>
              from.selectFrom('threadMembers').select('threadId').where('member', '=', who),
            ),
          ),
        )
        .$call(whenGiven(after ?? undefined, (query, id) => query.where('id', '<', id)))
        .orderBy('id', 'desc')
        .limit(most)
        .execute()
      return rows.map(threadOf)
    }),

  threadMembers: (id) =>
    read(holding, async (db) => {
      const rows = await db
        .selectFrom('threadMembers')
        .select('member')
        .where('threadId', '=', id)
        .orderBy('member')
        .execute()
      return rows.map(({ member }) => member)
    }),

  messages: (id, { after, most, exceptOf }) =>
    read(holding, async (db) => {
      const rows = await db
        .selectFrom('messages')
        .selectAll()
        .where('threadId', '=', id)
        .where('number', '>', after)
        .$call(whenGiven(exceptOf, (query, author) => query.where('author', '<>', author)))
        .orderBy('number')
        .limit(most)
        .execute()
      return rows.map(messageOf)
    }),

  readCursors: (id) =>
    read(holding, (db) =>
      db
        .selectFrom('readCursors')
        .select(['reader', 'number', 'at'])
        .where('threadId', '=', id)
        .orderBy('reader')
        .execute(),
    ),

  readCursor: (id, reader) =>
    read(holding, async (db) => {
      const row = await db
        .selectFrom('readCursors')
        .select('number')
        .where('threadId', '=', id)
        .where('reader', '=', reader)
        .executeTakeFirst()
      return row?.number ?? 0
    }),

  unreadThreads: (reader) =>
    read(holding, (db) =>
      db
        .selectFrom('threadMembers')
        .innerJoin('messages', 'messages.threadId', 'threadMembers.threadId')
        .leftJoin('readCursors', (join) =>
          join
            .onRef('readCursors.threadId', '=', 'threadMembers.threadId')
            .onRef('readCursors.reader', '=', 'threadMembers.member'),
        )
        .select(['threadMembers.threadId as id', (eb) => eb.fn.countAll<number>().as('unread')])
        .where('threadMembers.member', '=', reader)
        .where('messages.author', '<>', reader)
        .where('messages.number', '>', (eb) => eb.fn.coalesce('readCursors.number', sql<number>`0`))
        .groupBy('threadMembers.threadId')
        .orderBy('threadMembers.threadId')
        .execute(),
    ),
})

async function storedThread(db: Kysely<Tables>, id: ThreadId): Promise<Thread | undefined> {
  const row = await db.selectFrom('threads').selectAll().where('id', '=', id).executeTakeFirst()
  return row && threadOf(row)
}

const threadOf = ({
  state: _,
  blockedCode,
  blockedWhy,
  blockedAt,
  ...row
}: Selectable<ThreadTable>): Thread => ({
  ...row,
  blocked: blockOf(blockedCode, blockedWhy, blockedAt),
})

function blockOf(code: Block['code'] | null, why: string | null, at: number | null): Block | null {
  return code === null || why === null || at === null ? null : { code, why, at }
}

export const messageOf = ({ refs, ...row }: Selectable<MessageTable>): Message => ({
  ...row,
  refs: JSON.parse(refs),
})
