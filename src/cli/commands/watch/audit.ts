import type { Api } from '../../../protocol/api.ts'
import type { AuditEntryJson } from '../../../protocol/json/daemon-json.ts'
import type { InputOf } from '../../commands.ts'
import type { Context } from '../../context.ts'
import { type Column, table } from '../../render/print/table.ts'
import { localSecond } from '../../render/print/time.ts'
import { sinceTime } from '../../since.ts'

type Query = Api['GET /api/audit']['query']
const DEFAULT_LIMIT = 100

const columns: readonly Column<AuditEntryJson>[] = [
  { title: 'TIME', of: ({ at }) => localSecond(at), least: 19, rank: 3 },
  { title: 'KIND', of: ({ kind }) => kind, least: 12, rank: 4 },
  { title: 'SESSION', of: ({ session_id }) => session_id ?? '-', least: 15, rank: 1 },
  { title: 'WHO', of: ({ actor }) => actor, least: 8, rank: 2 },
  { title: 'DETAIL', of: ({ detail }) => detail, least: 10, rank: 0 },
]

export async function audit({ options }: InputOf<'audit'>, context: Context): Promise<number> {
  const { since, task, kind, limit } = options
  const query = { since: since && sinceTime('--since', since, Date.now()), task, kind, limit }
  const entries = await pagesOf(query, context)
  context.show({ entries }, () =>
    entries.length === 0 ? ['No entries found'] : table(columns, entries, context.width()),
  )
  return 0
}

/** A limit that is no number is refused by the daemon. */
async function pagesOf(query: Query, context: Context): Promise<AuditEntryJson[]> {
  const most = Number(query.limit ?? DEFAULT_LIMIT)
  const all: AuditEntryJson[] = []
  let after: string | undefined
  do {
    const limit = all.length === 0 ? query.limit : String(most - all.length)
    const { entries, next } = await context
      .daemon()
      .call('GET /api/audit', { query: { ...query, limit, after } })
    all.push(...entries)
    after = next ?? undefined
  } while (after !== undefined && all.length < most)
  return all
}
