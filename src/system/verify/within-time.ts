import { readFileSync } from 'node:fs'
import { runInNewContext } from 'node:vm'

export class TookTooLong extends Error {}

/** The limit grows up to this factor: on a busy machine a thread may wait many times as long as it works. */
const MOST_WAITING = 16

/**
 * Runs synchronous work, and throws TookTooLong when it takes too long: a pattern or a document written by an agent can
 * keep a matcher or a parser busy for years, and with it the daemon. Only the time in which it computes counts: work that
 * was stopped without having had that much is started again with more time.
 */
export function withinTime<T>(ms: number, work: () => T): T {
  for (let limit = ms; ; limit *= 4) {
    const before = computedMs()
    try {
      return runInNewContext('work()', { work }, { timeout: limit })
    } catch (error) {
      // The error comes from the other context, so `instanceof` does not know it.
      const { code } = error as { code?: unknown }
      if (code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error
      if (computedMs() - before >= ms * 0.9 || limit >= ms * MOST_WAITING) throw new TookTooLong()
    }
  }
}

/** The CPU time of this thread so far; without /proc, that of all threads of the process. */
function computedMs(): number {
  try {
    return Number(readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ', 1)[0]) / 1e6
  } catch {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1000
  }
}
