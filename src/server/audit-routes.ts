import { Hono } from 'hono'
import { HoldfastError } from '../domain/errors.ts'
import { printable } from '../domain/names.ts'
import { iso } from '../domain/session-record.ts'
import type { AuditEntry } from '../ports/store-changes.ts'
import type { AuditEntryJson } from '../protocol/api.ts'
import { findTask } from '../supervisor/find-task.ts'
import type { ServerContext } from './context.ts'

const DEFAULT_LIMIT = 100
const MOST = 10_000

/** Who did what, newest first. */
export function auditRoutes({ supervisor: { core } }: ServerContext): Hono {
  const routes = new Hono()
  routes.get('/', async (c) => {
    const { since, task, kind, limit } = c.req.query()
    const entries = await core.store.audits({
      since: since === undefined ? undefined : timeOf(since),
      taskId: task === undefined ? undefined : (await findTask(core.store, task)).id,
      kind,
      limit: limit === undefined ? DEFAULT_LIMIT : limitOf(limit),
    })
    return c.json({ entries: entries.map(entryJson) })
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

function timeOf(text: string): number {
  const at = Date.parse(text)
  if (Number.isNaN(at)) throw bad(`'since' must be an ISO 8601 time, not '${printable(text)}'.`)
  return at
}

function limitOf(text: string): number {
  const limit = Number(text)
  if (!Number.isInteger(limit) || limit < 1 || limit > MOST)
    throw bad(`'limit' must be a whole number from 1 to ${MOST}, not '${printable(text)}'.`)
  return limit
}

const bad = (message: string) => new HoldfastError('INVALID_REQUEST', message)
