// Owns what people are told of recovery, and what they may ask of it.
import type { KeptBackJson, NextJson, QuestionJson, TaskJson } from './task-json.ts'

/** `prompt`: said instead of the usual words. `env`: the caller's environment, for a task that has ended; filtered like at its creation. */
export type ResumeJson = { prompt?: string; env?: Record<string, string> }
export type RetryJson = { env?: Record<string, string> }

/** The story of a task. */
export type WhyJson = {
  session_id: string
  status: TaskJson['status']
  task_status: TaskJson['task_status']
  phase: TaskJson['phase']
  mode: TaskJson['mode']
  waits_for: TaskJson['waits_for']
  waits_until: TaskJson['waits_until']
  /** Why it is in this state. */
  reason: string | null
  next: NextJson
  kept_back: KeptBackJson | null
  /** The oldest one that nobody has answered. */
  question: QuestionJson | null
  /** Everything that happened to it, oldest first. */
  story: StoryJson[]
  /** Oldest first; of an ended task, earlier ones go in time. */
  runs: RunStoryJson[]
}
export type StoryJson = {
  at: string
  event: string
  /** `new` before it existed. */
  from: string
  to: string
  phase: string | null
  reason: string
  evidence: EvidenceJson[]
  /** The run's number. */
  run: number | null
}
/** What a decision was made from. */
export type EvidenceJson = { source: string; fact: string }
export type RunStoryJson = {
  number: number
  how: string
  state: string
  /** `code 1` or `signal KILL`. */
  exit: string | null
  failure: string | null
  /** Tool calls that it began. */
  tools: number
  /** Tool calls and turns that it ended. */
  progress: number
}

export type OpenQuestionJson = QuestionJson & { session_id: string; agent: string }

/** What tasks wait behind together. */
export type GateJson = {
  key: string
  kind: 'limit' | 'environment' | 'breaker'
  /** Whose account; null: it holds everybody. */
  agent: string | null
  reason: string
  since: string
  until: string
  /** The task that tries whether it is over. */
  canary: string | null
  tries: number
  /** Session ids. */
  waiting: string[]
}
/** A parked task that waits for itself alone. */
export type ParkedJson = { session_id: string; agent: string; reason: string | null; until: string | null }
export type ParksJson = { gates: GateJson[]; parked: ParkedJson[] }
/** Keys of gates that were opened, and ids of tasks that go on. */
export type UnparkedJson = { opened: string[]; tasks: string[] }
/** A line of `unpark --all`: a gate that was opened, or a task that goes on. */
export type UnparkedOneJson = { opened: string } | { session_id: string }
