// Owns what is stored of an agent's event lines.

import type { RunId, TaskId } from '../../domain/names/ids.ts'
import type { FailureClass } from '../../domain/run/failure-class.ts'
import type { Evidence } from '../../domain/task/evidence.ts'
import type { AgentResult, RunStep } from '../../domain/task/run.ts'
import type { SessionUsage } from '../../domain/task/task.ts'

/** What was read from an agent's event lines, with the offsets up to which it was read. */
export type Reading = {
  readonly taskId: TaskId
  readonly runId: RunId
  /** Must be the stored offset; otherwise nothing is written. */
  readonly fromOffset: number
  readonly offset: number
  readonly outputLength: number
  readonly unknownLines: number
  /** A part of the event file is lost. */
  readonly eventsLost?: boolean
  readonly tokensIn: number
  readonly tokensOut: number
  readonly costUsd: number
  readonly sessionUsage?: SessionUsage
  readonly sessionId?: string
  /**
   * A text that the agent reported as its session id but that cannot be one; safe to print. A known session id is
   * deleted.
   */
  readonly refusedSession?: string
  readonly lastWords?: string
  /** Null deletes an earlier result. */
  readonly result?: AgentResult | null
  /** Numbers of the inputs that the agent has heard. */
  readonly heard?: readonly number[]
  /** Numbers of the prompts whose turn is over. */
  readonly done?: readonly number[]
  /** What both are concluded from; the agent's own word when absent. */
  readonly heardBy?: readonly Evidence[]
  /** Nothing shows that the agent ever had them. */
  readonly unproven?: boolean
  /** Hook violations that are added to those of the task. */
  readonly blocked?: readonly string[]
  /** How many tool calls began. */
  readonly tools?: number
  /** How many tool calls and turns ended. */
  readonly progress?: number
  /** All steps that are kept, with the earlier ones. */
  readonly steps?: readonly RunStep[]
  /** Null deletes an earlier failure. */
  readonly failure?: FailureClass | null
  /** Epoch ms; null deletes an earlier time. */
  readonly limitedUntil?: number | null
}
