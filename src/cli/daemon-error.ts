// Owns what a failed conversation with the daemon means.
import { HoldfastError, isErrorCode, isHoldfastError } from '../domain/errors.ts'
import { printable } from '../domain/names.ts'

const codeOf = (error: unknown) => (error as NodeJS.ErrnoException | undefined)?.code ?? ''
/** Nothing was sent. EAGAIN: its queue of connections is full. */
export const nobodyListens = (error: unknown) =>
  ['ENOENT', 'ENOTDIR', 'ECONNREFUSED', 'EAGAIN'].includes(codeOf(error))
/** Something may have been done. */
export const wentAway = (error: unknown) => ['ECONNRESET', 'EPIPE'].includes(codeOf(error))

/** The connection failed, not the question: a reader may try again. */
export function brokeOff(error: unknown): boolean {
  const root = isHoldfastError(error, 'DAEMON_UNREACHABLE') ? error.cause : error
  return nobodyListens(root) || wentAway(root)
}

/** A broken connection in our words; anything else unchanged. */
export function connectionError(cause: unknown, socket: string): unknown {
  if (nobodyListens(cause))
    return new HoldfastError('DAEMON_UNREACHABLE', `No daemon listens on ${socket}.`, { cause })
  if (wentAway(cause))
    return new HoldfastError(
      'DAEMON_UNREACHABLE',
      'The daemon went away before it answered: see with `holdfast list` what was done before you repeat it.',
      { cause },
    )
  if (['EACCES', 'EPERM'].includes(codeOf(cause)))
    return new HoldfastError('HOME_NOT_WRITABLE', `You may not use the daemon's socket ${socket}.`, { cause })
  return cause
}

/** What the daemon answered instead of what was asked: `{code, message, hint}`. */
export function daemonError(text: string): HoldfastError {
  const { code, message } = parsed(text)
  const told = typeof message === 'string' ? message : text
  if (isErrorCode(code)) return new HoldfastError(code, told)
  return new HoldfastError('DAEMON_OTHER_VERSION', `The daemon says: ${printable(told, 500)}`)
}

function parsed(text: string): { code?: unknown; message?: unknown } {
  try {
    return Object(JSON.parse(text))
  } catch {
    return {}
  }
}
