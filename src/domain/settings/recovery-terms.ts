// Owns the numbers of recovery, as they are kept with a task.
import type { Config } from './config.ts'

export type RecoveryTerms = {
  /** Automatic retries without progress. */
  readonly retries: number
  readonly backoffBaseMs: number
  readonly backoffCapMs: number
  /** Working time after which nothing is retried any more; null for no end. */
  readonly deadlineMs: number | null
  /** So many deaths without progress within this time are a crash loop. */
  readonly loopDeaths: number
  readonly loopWindowMs: number
  /** Hard stops. */
  readonly maxCostUsd: number | null
  readonly maxTokens: number | null
  /** Silence before it is stuck, and while it may be waiting itself. Absent in tasks of old. */
  readonly stuckAfterMs?: number
  readonly stuckQuietMs?: number
}

export const recoveryTerms = (config: Config): RecoveryTerms => ({
  retries: config.retries,
  backoffBaseMs: config['backoff.base'],
  backoffCapMs: config['backoff.cap'],
  deadlineMs: config.deadline,
  loopDeaths: config['crashLoop.deaths'],
  loopWindowMs: config['crashLoop.window'],
  maxCostUsd: config.maxCost,
  maxTokens: config.maxTokens,
  stuckAfterMs: config['stuck.after'],
  stuckQuietMs: config['stuck.quiet'],
})
