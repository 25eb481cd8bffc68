// Owns what a failed conversation with the daemon means.
import { HoldfastError, isErrorCode, isHoldfastError } from '../../domain/errors.ts'
import { printable } from '../../domain/names/names.ts'
import { isErrno } from '../../domain/system-error.ts'
import { waysOutOf } from './ways-out.ts'

/** Nothing was sent. EAGAIN: its queue of connections is full. */
export const isNobodyListening = (error: unknown) =>
  isErrno(error, 'ENOENT', 'ENOTDIR', 'ECONNREFUSED', 'EAGAIN')
/** Something may have been done. */
export const isConnectionLost = (error: unknown) => isErrno(error, 'ECONNRESET', 'EPIPE')

/** The connection failed, not the question: a reader may try again. */
export function isConnectionError(error: unknown): boolean {
  const root = isHoldfastError(error, 'DAEMON_UNREACHABLE') ? error.cause : error
  return isNobodyListening(root) || isConnectionLost(root)
}

/** A broken connection in our words; anything else unchanged. */
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

/** What the daemon answered instead of what was asked: `{code, message, hint}`. */
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
