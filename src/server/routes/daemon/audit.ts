import { Hono } from 'hono'
import { auditKind } from '../../../domain/names/audit-kinds.ts'
import { iso } from '../../../domain/task/session-record.ts'
import type { AuditEntry } from '../../../ports/store/audit.ts'
import type { AuditEntryJson, AuditPageJson } from '../../../protocol/json/daemon-json.ts'
import type { Uses } from '../../context.ts'
import { timeIn, wholeNumber } from '../../requests/query.ts'

const DEFAULT_LIMIT = 100
const MOST = 1_000_000
const PER_PAGE = 500

/** Who did what, newest first. */
export function auditRoutes({ desk }: Uses<'audit' | 'tasks'>): Hono {
  const routes = new Hono()
  routes.get('/', async (c) => {
    const { since, task, kind, limit, after } = c.req.query()
    const filter = {
      since: since === undefined ? undefined : timeIn('since', since),
      taskId: task === undefined ? undefined : (await desk.tasks.find(task)).id,
      kind: kind === undefined ? undefined : auditKind(kind),
    }
    const wanted = limit === undefined ? DEFAULT_LIMIT : wholeNumber('limit', limit, { least: 1, most: MOST })
    const { items, next } = await desk.audit.page(filter, {
      after:
        after === undefined ? null : wholeNumber('after', after, { least: 0, most: Number.MAX_SAFE_INTEGER }),
      most: Math.min(wanted, PER_PAGE),
    })
    const page: AuditPageJson = { entries: items.map(entryJson), next: next === null ? null : String(next) }
    return c.json(page)
  })
  return routes
}

const entryJson = ({ at, kind, taskId, actor, detail }: AuditEntry): AuditEntryJson => ({
  at: iso(at),
  kind,
  session_id: taskId,
  actor,
  detail,
})
