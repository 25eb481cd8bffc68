// Owns the JSON of triggers: prompts that were sent, on their way to a living agent.
import type { Sanitised } from '../../domain/conversation/words-of.ts'
import type { EvidenceSource } from '../../domain/task/evidence.ts'
import type { AckWay } from '../../domain/trigger/acknowledgement.ts'
import type { TriggerCode } from '../../domain/trigger/codes.ts'
import type { TriggerEvent, TriggerState } from '../../domain/trigger/machine.ts'
import type { KeptBackJson, NextJson, TaskJson } from './task-json.ts'

/** What a step was concluded from. */
export type TriggerEvidenceJson = { source: EvidenceSource; fact: string }
/** One step of a trigger. */
export type TriggerStepJson = {
  number: number
  event: TriggerEvent
  state: TriggerState
  code: TriggerCode | null
  at: string
  evidence: TriggerEvidenceJson[]
}
/** A prompt that was sent. `session_id`: whom to. `state_since`: its last step. */
export type TriggerJson = {
  trigger_id: string
  session_id: string
  number: number
  thread: string | null
  reason: string | null
  key: string | null
  /** It is said in an envelope, and an acknowledgement is expected. */
  framed: boolean
  by: string
  at: string
  bytes: number
  state: TriggerState
  /** Why it waits, fell back or failed. */
  code: TriggerCode | null
  state_since: string
  acknowledged_by: AckWay | null
  forced_by: string | null
  forced_why: string | null
  /** What of the text the agent does not get as it was sent. */
  sanitised: Sanitised[]
}
/** `next` and `kept_back` are those of `status`: what its session waits for. */
export type TriggerDetailJson = TriggerJson & {
  text: string
  steps: TriggerStepJson[]
  /** Until when an acknowledgement is awaited, or until when it is deferred; null when no time is set. */
  waits_until: string | null
  phase: TaskJson['phase']
  mode: TaskJson['mode']
  next: NextJson
  kept_back: KeptBackJson | null
}
/** Newest first. `next`: given as `after`, it leads to the next page; null when there is none. */
export type TriggerListJson = { triggers: TriggerJson[]; next: string | null }
/** Who has it typed although somebody typed there a moment ago, and why. */
export type ForceJson = { operator: string; why: string }
/** What `--wait` waits for. */
export type TriggerGoal = 'submitted' | 'acknowledged'
export type TriggerListQuery = {
  thread?: string
  to?: string
  state?: string
  limit?: string
  after?: string
}
/** `until` with `wait_seconds`: answered when it is so far, when it will not get so far, or when the time is up. */
export type TriggerQuery = { until?: TriggerGoal; wait_seconds?: string }
