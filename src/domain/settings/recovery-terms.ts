// Owns the recovery settings of a task, as they are stored with it.
import type { Config } from './config.ts'

export type RecoveryTerms = {
  /** The most automatic retries without progress in between. */
  readonly retries: number
  readonly backoffBaseMs: number
  readonly backoffCapMs: number
  /** Working time after which the task is not retried any more; null for no limit. */
  readonly deadlineMs: number | null
  /** `loopDeaths` deaths without progress within `loopWindowMs` are a crash loop. */
  readonly loopDeaths: number
  readonly loopWindowMs: number
  /** A task that reaches one of these two limits is ended; null for no limit. */
  readonly maxCostUsd: number | null
  readonly maxTokens: number | null
  /** An agent that is silent for longer is stuck; `stuckQuietMs` counts while a request or tool call is open. */
  readonly stuckAfterMs: number
  readonly stuckQuietMs: number
  /** How long after its end a runtime is started again. */
  readonly restartAfterMs: number
  /** How long a runtime may take until its agent waits for a prompt. */
  readonly startTimeoutMs: number
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
  restartAfterMs: config['runtime.grace'],
  startTimeoutMs: config['runtime.startTimeout'],
})
