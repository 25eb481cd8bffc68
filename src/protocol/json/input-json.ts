// Owns the JSON of answers and prompts for a session.

import type { Sanitised } from '../../domain/conversation/words-of.ts'
import type { TriggerCode } from '../../domain/trigger/codes.ts'
import type { TriggerState } from '../../domain/trigger/machine.ts'
import type { KeptBackJson, NextJson, QuestionJson, TaskJson } from './task-json.ts'
import type { ForceJson, TriggerEvidenceJson } from './trigger-json.ts'

/** `choice`: an option's number (from 1) or words, or any other text. `question`: its number, when several are open. */
export type AnswerJson = { choice: string; question?: number }
/** `settled`: the agent goes on. Otherwise it has not taken the answer yet. */
export type AnsweredJson = {
  session_id: string
  question: QuestionJson
  answer: string
  settled: boolean
  /** The task after the answer: it may have ended because of it. */
  task: TaskJson
}
/**
 * A prompt, or `end`: no more prompts will come. The same `key` with the same prompt is the same trigger. With a `thread`
 * the agent gets it in an envelope. `force`: typed although somebody typed there a moment ago.
 */
export type InputJson =
  | {
      prompt: string
      thread?: string
      reason?: string
      key?: string
      force?: ForceJson
    }
  | { end: true }
/**
 * `said` to the agent, and `heard` by it, as far as is known. `next` and `kept_back` are those of `status`. The fields of
 * the trigger are null, and `evidence` and `sanitised` empty, for `end`.
 */
export type SentJson = {
  trigger_id: string | null
  state: TriggerState | null
  code: TriggerCode | null
  /** What its state was concluded from. */
  evidence: TriggerEvidenceJson[]
  /** What of the text the agent does not get as it was sent. */
  sanitised: Sanitised[]
  /** Who forced it; of two, the first. */
  forced_by: string | null
  session_id: string
  number: number
  said: boolean
  heard: boolean
  phase: TaskJson['phase']
  mode: TaskJson['mode']
  next: NextJson
  kept_back: KeptBackJson | null
}
