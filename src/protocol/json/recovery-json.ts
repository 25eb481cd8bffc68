// Owns the JSON of recovery: why a task waits, its gates and parks, and the requests to resume or retry it.
import type { BridgeState } from './run-json.ts'
import type { KeptBackJson, ListedTaskJson, NextJson, QuestionJson, TaskJson } from './task-json.ts'

/** `prompt`: said instead of the standard message. `env`: the caller's environment, for a task that has ended; filtered as at its creation. */
export type ResumeJson = { prompt?: string; env?: Record<string, string> }
export type RetryJson = { env?: Record<string, string> }

/** What happened to a task, why it waits and what comes next. */
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
  /** The oldest question that nobody has answered. */
  question: QuestionJson | null
  /** As in the session's own JSON. */
  bridge: BridgeState | null
  elsewhere: ListedTaskJson['elsewhere']
  /** All transitions of the task, oldest first. */
  story: StoryJson[]
  /** Oldest first. Earlier runs of an ended task are deleted after some time. */
  runs: RunStoryJson[]
}
/** The last runs of a task with their tool calls, oldest first. */
export type LastRunsJson = { runs: RunStoryJson[] }
export type StoryJson = {
  at: string
  event: string
  /** The status before; `new` for a task that is created. */
  from: string
  to: string
  phase: string | null
  reason: string
  evidence: EvidenceJson[]
  /** The run's number. */
  run: number | null
}
/** A fact on which a decision is based. */
export type EvidenceJson = { source: string; fact: string }
export type RunStoryJson = {
  number: number
  how: string
  state: string
  /** `code 1` or `signal KILL`. */
  exit: string | null
  failure: string | null
  /** How many tool calls the run began. */
  tools: number
  /** How many tool calls and turns the run finished. */
  progress: number
  /** Its last tool calls, oldest first; none of a run that many others followed. */
  steps: RunStepJson[]
}
/** `ok` is null while the call goes on, and times are null where they are not known. */
export type RunStepJson = {
  tool: string
  detail: string
  ok: boolean | null
  at: string | null
  ended_at: string | null
}

export type OpenQuestionJson = QuestionJson & { session_id: string; agent: string }

/** A shared reason for which tasks wait. */
export type GateJson = {
  key: string
  kind: 'limit' | 'environment' | 'breaker'
  /** The agent whose account it is; null when it holds all tasks. */
  agent: string | null
  reason: string
  since: string
  until: string
  /** The task that tests whether the cause is over. */
  canary: string | null
  tries: number
  /** Session ids. */
  waiting: string[]
}
/** A parked task that waits behind no gate. */
export type ParkedJson = { session_id: string; agent: string; reason: string | null; until: string | null }
export type ParksJson = { gates: GateJson[]; parked: ParkedJson[] }
/** Keys of gates that were opened, and ids of tasks that go on. */
export type UnparkedJson = { opened: string[]; tasks: string[] }
/** A line of `unpark --all`: a gate that was opened, or a task that goes on. */
export type UnparkedOneJson = { opened: string } | { session_id: string }
