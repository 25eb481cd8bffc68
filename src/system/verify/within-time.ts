import { runInNewContext } from 'node:vm'

export class TookTooLong extends Error {}

/**
 * Work without waiting, stopped when it takes too long: a pattern or a document written by an agent can keep a matcher
 * or a parser busy for years, and with it the daemon.
 */
export function withinTime<T>(ms: number, work: () => T): T {
  try {
    return runInNewContext('work()', { work }, { timeout: ms })
  } catch (error) {
    // It is an error of the other context, and no instance of ours.
    const { code } = error as { code?: unknown }
    throw code === 'ERR_SCRIPT_EXECUTION_TIMEOUT' ? new TookTooLong() : error
  }
}
