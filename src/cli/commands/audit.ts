import type { AuditEntryJson } from '../../protocol/api.ts'
import type { InputOf } from '../commands.ts'
import type { Context } from '../context.ts'
import { type Column, table } from '../render/table.ts'
import { localSecond } from '../render/time.ts'
import { sinceTime } from '../since.ts'

const columns: readonly Column<AuditEntryJson>[] = [
  { title: 'TIME', of: ({ at }) => localSecond(at), least: 19, rank: 3 },
  { title: 'KIND', of: ({ kind }) => kind, least: 12, rank: 4 },
  { title: 'SESSION', of: ({ session_id }) => session_id ?? '-', least: 15, rank: 1 },
  { title: 'WHO', of: ({ actor }) => actor, least: 8, rank: 2 },
  { title: 'DETAIL', of: ({ detail }) => detail, least: 10, rank: 0 },
]

export async function audit({ options }: InputOf<'audit'>, context: Context): Promise<number> {
  const { since, task, kind, limit } = options
  const query = { since: since && sinceTime(since, Date.now()), task, kind, limit }
  const answer = await context.daemon().call('GET /api/audit', { query })
  context.show(answer, () =>
    answer.entries.length === 0 ? ['Nothing on record'] : table(columns, answer.entries, context.width()),
  )
  return 0
}
