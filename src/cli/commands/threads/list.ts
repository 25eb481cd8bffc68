import type { ThreadJson } from '../../../protocol/json/thread-json.ts'
import type { InputOf } from '../../commands.ts'
import type { Context } from '../../context.ts'
import { type Column, table } from '../../render/print/table.ts'
import { localMinute } from '../../render/print/time.ts'
import { countOf } from './count-of.ts'

const columns: readonly Column<ThreadJson>[] = [
  { title: 'THREAD', of: ({ thread_id }) => thread_id, least: 'whole', rank: 5 },
  { title: 'STATE', of: ({ state }) => state, least: 'whole', rank: 4 },
  { title: 'MESSAGES', of: ({ messages }) => String(messages), least: 'whole', rank: 2 },
  { title: 'UNREAD', of: ({ unread }) => String(unread), least: 'whole', rank: 3 },
  { title: 'LAST', of: ({ last_at }) => localMinute(last_at), least: 16, rank: 1 },
  { title: 'TITLE', of: ({ title }) => title, least: 12, rank: 0, isFlexible: true },
]

const PER_REQUEST = 200

export async function listThreads({ options }: InputOf<'thread list'>, context: Context): Promise<number> {
  const most = countOf('limit', options.limit) ?? 50
  const answer = await pages(options, most, context)
  context.show(answer, () =>
    answer.threads.length === 0 ? ['No threads'] : table(columns, answer.threads, context.width()),
  )
  return 0
}

/** A page may hold fewer than asked for: those without unread messages are left out of it. */
async function pages(
  { blocked, mine, unread }: InputOf<'thread list'>['options'],
  most: number,
  context: Context,
) {
  const threads: ThreadJson[] = []
  let next: string | null | undefined
  while (threads.length < most && next !== null) {
    const page = await context.daemon().call('GET /api/threads', {
      query: {
        ...(blocked && { state: 'blocked' as const }),
        ...(mine && { mine: '1' as const }),
        ...(unread && { unread: '1' as const }),
        ...(next !== undefined && { after: next }),
        limit: String(Math.min(PER_REQUEST, most - threads.length)),
      },
    })
    threads.push(...page.threads)
    next = page.next
  }
  return { threads, next: next ?? null }
}
