import { call } from '../connection/call.ts'
import { useResource } from '../held/resource.ts'

export type AuditFilter = { readonly since?: string; readonly task?: string; readonly kind?: string }

/** The newest entries. */
export const useAudit = (filter: AuditFilter, limit: number) =>
  useResource(['audit', filter, limit], () =>
    call('GET /api/audit', { query: { ...filter, limit: String(limit) } }),
  )
