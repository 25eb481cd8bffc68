// Owns the audit rows of requests that were refused.
import type { Context } from 'hono'
import { type ErrorCode, type HoldfastError, messageOf } from '../domain/errors.ts'
import type { AuditKind } from '../domain/names/audit-kinds.ts'
import { printable } from '../domain/names/names.ts'
import { redactSecrets } from '../domain/text/redact-secrets.ts'
import { callerOf } from './caller.ts'
import type { Uses } from './context.ts'

const kinds: Partial<Record<ErrorCode, AuditKind>> = {
  QUOTA_EXCEEDED: 'quota_exceeded',
  RECURSION_REFUSED: 'recursion_refused',
}

/** Refusals of what only a person may do or allow. They are recorded for runs only: a run may try again and again. */
const FOR_PERSONS: readonly ErrorCode[] = ['NOT_ALLOWED_FOR_RUN', 'WORKSPACE_NOT_ALLOWED', 'NOT_TRUSTED']

/** Never changes the answer to the request: when the row cannot be stored, that is only logged. */
export async function auditRefusal(
  c: Context,
  error: HoldfastError,
  { desk, log }: Uses<'audit', 'log'>,
): Promise<void> {
  const isRefusedRun =
    callerOf(c)?.kind === 'run' && c.req.method !== 'GET' && FOR_PERSONS.includes(error.code)
  const kind = kinds[error.code] ?? (isRefusedRun ? 'order_refused' : undefined)
  if (kind === undefined) return
  const asked = isRefusedRun ? `${c.req.method} ${printable(c.req.path, 200)}: ` : ''
  await desk.audit
    .add(kind, callerOf(c), `${asked}${redactSecrets(error.message)}`)
    .catch((failure) =>
      log.error('a refusal could not be written to the audit', { kind, error: messageOf(failure) }),
    )
}
