// Owns gates: shared reasons for which several tasks wait.

import type { TaskId } from '../../domain/names/ids.ts'

export interface GateReads {
  gates(): Promise<Gate[]>
}

/**
 * A shared reason for which several tasks wait: an account's limit, a network that is down, an agent that keeps
 * failing.
 */
export type Gate = {
  readonly key: string
  readonly kind: 'limit' | 'environment' | 'breaker'
  readonly reason: string
  /** Epoch ms. */
  readonly since: number
  readonly until: number
  /** How often a canary failed, so that the gate stayed closed. */
  readonly tries: number
  /** The one task that may go on: if it makes progress, the gate opens. */
  readonly canary: TaskId | null
  /** The tasks whose failures closed the gate, the latest last. */
  readonly failed: readonly FailedBehind[]
}

/** `asCanary`: how often the task failed as the gate's canary. */
export type FailedBehind = { readonly id: TaskId; readonly asCanary: number }
