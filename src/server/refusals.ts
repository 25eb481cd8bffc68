// Owns the audit rows of requests that were refused.
import type { Context } from 'hono'
import { type ErrorCode, type HoldfastError, messageOf } from '../domain/errors.ts'
import type { AuditKind } from '../domain/names/audit-kinds.ts'
import { printable } from '../domain/names/names.ts'
import { redactSecrets } from '../domain/text/redact-secrets.ts'
import { HEADER_RUN } from '../protocol/headers.ts'
import { callerOf } from './caller.ts'
import type { Uses } from './context.ts'
import { RepeatedRefusals } from './repeated-refusals.ts'
import { isUnsafe } from './web/guard.ts'

const kinds: Partial<Record<ErrorCode, AuditKind>> = {
  ACK_REFUSED: 'ack_refused',
  QUOTA_EXCEEDED: 'quota_exceeded',
  RECURSION_REFUSED: 'recursion_refused',
}

/** Refusals of what only a person may do or allow. They are recorded for runs only: a run may try again and again. */
const FOR_PERSONS: readonly ErrorCode[] = ['NOT_ALLOWED_FOR_RUN', 'WORKSPACE_NOT_ALLOWED', 'NOT_TRUSTED']
const OF_TOKENS: readonly ErrorCode[] = ['TOKEN_INVALID', 'TOKEN_EXPIRED', 'TOKEN_VOID']
const OF_LOGINS: readonly ErrorCode[] = ['LOGIN_REQUIRED', 'LOGIN_LINK_VOID', 'CROSS_SITE_REFUSED']

/** Puts a refusal on the record. Never in the way of the answer: a store that fails here is only logged. */
export function auditRefusals({ desk, clock, log }: Uses<'audit', 'clock' | 'log'>) {
  const repeated = new RepeatedRefusals(clock)

  return async (c: Context, error: HoldfastError): Promise<void> => {
    const row =
      error.code === 'INBOUND_REFUSED'
        ? inboundRow(c, error)
        : isUnproved(error)
          ? unprovedRow(c, error)
          : rowOf(c, error)
    if (row === undefined) return
    await desk.audit.add(row.kind, row.caller, redactSecrets(row.detail)).catch((failure) =>
      log.error('a refusal could not be written to the audit', {
        kind: row.kind,
        error: messageOf(failure),
      }),
    )
  }

  /** Anybody on the network may try, again and again. */
  function inboundRow(c: Context, { message }: HoldfastError) {
    const since = repeated.count(`inbound ${printable(c.req.path, 60)}`)
    if (since === undefined) return undefined
    const more = since === 0 ? '' : ` (and ${since} more times before)`
    const caller = { kind: 'person', name: 'a channel, unproved' } as const
    return { kind: 'inbound_refused', caller, detail: `${asked(c)}${message}${more}` } as const
  }

  /** Who asked is not known: the token did not prove it. A caller that goes on and on is one row a minute. */
  function unprovedRow(c: Context, { code, message }: HoldfastError) {
    const isLogin = OF_LOGINS.includes(code)
    // A browser that has never been here brings nothing that could be wrong.
    if (code === 'LOGIN_REQUIRED' && !c.req.header('authorization') && !c.req.header('cookie'))
      return undefined
    const run = c.req.header(HEADER_RUN)
    const named =
      isLogin && run === undefined ? 'somebody over TCP' : `run ${printable(run ?? 'unknown', 60)}`
    const since = repeated.count(`${code} ${named}`)
    if (since === undefined) return undefined
    const more = since === 0 ? '' : ` (and ${since} more times before)`
    const caller = { kind: 'person', name: `${named}, unproved` } as const
    const kind = isLogin ? 'login_refused' : 'token_refused'
    return { kind, caller, detail: `${asked(c)}${code}: ${message}${more}` } as const
  }
}

const isUnproved = ({ code }: HoldfastError) => OF_TOKENS.includes(code) || OF_LOGINS.includes(code)

function rowOf(c: Context, error: HoldfastError) {
  const caller = callerOf(c)
  const isRuns = caller?.kind === 'run' && isUnsafe(c) && FOR_PERSONS.includes(error.code)
  const kind = kinds[error.code] ?? (isRuns ? 'order_refused' : undefined)
  if (kind === undefined) return undefined
  return { kind, caller, detail: `${isRuns ? asked(c) : ''}${error.message}` }
}

const asked = (c: Context) => `${c.req.method} ${printable(c.req.path, 200)}: `
