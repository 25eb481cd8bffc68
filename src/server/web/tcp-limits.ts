// Owns how often somebody may ask over TCP: those who were let in, and those who were not.
import type { Context } from 'hono'
import { HoldfastError } from '../../domain/errors.ts'
import type { ServerContext } from '../context.ts'
import { incomingOf } from '../via.ts'
import { Buckets } from './buckets.ts'

/** A page that opens ten views at once stays far below. */
const OF_A_CALLER = { burst: 600, perSecond: 100 }
/** A right cookie or token is let in all the same: nobody can lock others out by guessing. */
const OF_FAILED_LOGINS = { burst: 20, perSecond: 0.5 }

export function tcpLimits({ clock }: Pick<ServerContext, 'clock'>) {
  const callers = new Buckets(OF_A_CALLER, clock)
  const failed = new Buckets(OF_FAILED_LOGINS, clock)
  return {
    /** Counts a request of somebody who was let in. */
    ofCaller: (c: Context, caller: string) => check(c, callers.take(caller), 'Too many requests.'),
    /** Counts a request of somebody who was not. */
    ofFailed: (c: Context) =>
      check(
        c,
        failed.take(incomingOf(c)?.socket.remoteAddress ?? ''),
        'Too many requests with a wrong cookie, token or link.',
      ),
  }
}
export type TcpLimits = ReturnType<typeof tcpLimits>

function check(c: Context, waitSeconds: number, message: string): void {
  if (waitSeconds === 0) return
  c.header('retry-after', String(waitSeconds))
  throw new HoldfastError('RATE_LIMITED', message)
}
