import { readFileSync } from 'node:fs'
import { runInNewContext } from 'node:vm'

export class TookTooLong extends Error {}

/** On a busy machine a thread may wait many times as long as it works. */
const MOST_WAITING = 16

/**
 * Work without waiting, stopped when it takes too long: a pattern or a document written by an agent can keep a matcher
 * or a parser busy for years, and with it the daemon. Only the time it computes counts: what was stopped without having
 * had that much is begun again with more time.
 */
export function withinTime<T>(ms: number, work: () => T): T {
  for (let limit = ms; ; limit *= 4) {
    const before = computedMs()
    try {
      return runInNewContext('work()', { work }, { timeout: limit })
    } catch (error) {
      // It is an error of the other context, and no instance of ours.
      const { code } = error as { code?: unknown }
      if (code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error
      if (computedMs() - before >= ms * 0.9 || limit >= ms * MOST_WAITING) throw new TookTooLong()
    }
  }
}

/** What this thread has computed so far; where the system does not tell, what all of them have. */
function computedMs(): number {
  try {
    return Number(readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ', 1)[0]) / 1e6
  } catch {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1000
  }
}
