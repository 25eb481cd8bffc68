// Owns what a failed request to the daemon means.

import { isErrorCode } from '../../domain/errors/catalogue.ts'
import { HoldfastError, isHoldfastError } from '../../domain/errors.ts'
import { printable } from '../../domain/names/names.ts'
import { isErrno } from '../../domain/system-error.ts'
import { waysOutOf } from './ways-out.ts'

/** Nothing was sent. EAGAIN: the daemon's queue of connections is full. */
export const isNobodyListening = (error: unknown) =>
  isErrno(error, 'ENOENT', 'ENOTDIR', 'ECONNREFUSED', 'EAGAIN')
/** The connection broke after the request was sent: the daemon may have carried it out. */
export const isConnectionLost = (error: unknown) => isErrno(error, 'ECONNRESET', 'EPIPE')

/** The connection failed, not the request: a reader may try again. */
export function isConnectionError(error: unknown): boolean {
  const root = isHoldfastError(error, 'DAEMON_UNREACHABLE') ? error.cause : error
  return isNobodyListening(root) || isConnectionLost(root)
}

/** An error of the connection becomes a HoldfastError; any other error is returned unchanged. */
export function connectionError(cause: unknown, socket: string): unknown {
  if (isNobodyListening(cause))
    return new HoldfastError('DAEMON_UNREACHABLE', `No daemon answers on ${socket}.`, { cause })
  if (isConnectionLost(cause))
    return new HoldfastError(
      'DAEMON_UNREACHABLE',
      'The connection to the daemon broke before it answered. Check with `holdfast list` what was done before you repeat the command.',
      { cause },
    )
  if (isErrno(cause, 'EACCES', 'EPERM'))
    return new HoldfastError(
      'HOME_NOT_WRITABLE',
      `You do not have permission to use the daemon's socket ${socket}.`,
      { cause },
    )
  return cause
}

/** The error that the daemon answered: `{code, message, hint}`. */
export function daemonError(text: string): HoldfastError {
  const { code, message, ways_out } = parsed(text)
  const told = typeof message === 'string' ? message : text
  if (isErrorCode(code)) return new HoldfastError(code, told, { waysOut: waysOutOf(ways_out) })
  return new HoldfastError('DAEMON_OTHER_VERSION', `The daemon says: ${printable(told, 500)}`)
}

function parsed(text: string): { code?: unknown; message?: unknown; ways_out?: unknown } {
  try {
    return Object(JSON.parse(text))
  } catch {
    return {}
  }
}
