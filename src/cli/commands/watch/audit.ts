import type { Api } from '../../../protocol/api.ts'
import type { AuditEntryJson } from '../../../protocol/json/daemon-json.ts'
import type { InputOf } from '../../commands.ts'
import type { Context } from '../../context.ts'
import { type Column, table } from '../../render/print/table.ts'
import { localSecond } from '../../render/print/time.ts'
import { sinceTime } from '../../since.ts'

type Query = Api['GET /api/audit']['query']
const DEFAULT_LIMIT = 100

/** Narrower than this, the year is left out: the day, who did what, and to which session are to be read. */
const WIDE = 100

const columns = (width: number): readonly Column<AuditEntryJson>[] => [
  { title: 'TIME', of: ({ at }) => localSecond(at).slice(width < WIDE ? 5 : 0), least: 14, rank: 3 },
  { title: 'KIND', of: ({ kind }) => kind, least: 12, rank: 4 },
  // An id is of no use when it is cut.
  { title: 'SESSION', of: ({ session_id }) => session_id ?? '-', least: 'whole', rank: 5 },
  { title: 'WHO', of: ({ actor }) => actor, least: 8, rank: 2 },
  { title: 'DETAIL', of: ({ detail }) => detail, least: 10, rank: 0 },
]

export async function audit({ options }: InputOf<'audit'>, context: Context): Promise<number> {
  const { since, task, kind, limit } = options
  const query = { since: since && sinceTime('--since', since, Date.now()), task, kind, limit }
  const entries = await pagesOf(query, context)
  context.show({ entries }, () =>
    entries.length === 0 ? ['No entries found'] : auditLines(entries, context.width()),
  )
  return 0
}

export const auditLines = (entries: readonly AuditEntryJson[], width: number) =>
  table(columns(width), entries, width)

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
