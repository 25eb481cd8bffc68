// Owns what `monitor` asks the daemon, what the daemon answers, and what `monitor` prints.
import type { FinalState } from '../../domain/task/final-state.ts'
import type { Phase, TaskStatus } from '../../domain/task/machine.ts'
import type { NextJson, QuestionJson } from './task-json.ts'

/** Answered when there is something to return with, when anything differs from `seen`, or after `wait_seconds`. */
export type MonitorAskJson = {
  /** Ids, or beginnings of ids. */
  ids: string[]
  /** True: the first session that is done is enough. */
  any?: boolean
  /** The `seen` of the last answer; when absent, the answer comes at once. */
  seen?: string
  wait_seconds: number
  /** `ended`: a session whose turn is over still counts as going on. */
  until?: 'idle' | 'ended'
  /** The name of the reader: the daemon remembers which events it has received. */
  cursor?: string
  /** The number of an event: the reader has received all events up to it. */
  ack?: number
}
/** `over`: `monitor` can return. `cursor` is null for a caller without one. */
export type MonitorLookJson = {
  over: boolean
  seen: string
  tasks: MonitoredJson[]
  cursor: number | null
  events: MonitorEventJson[]
}

export type MonitoredJson = {
  /** Null while the session goes on. */
  final_state: FinalState | null
  /** The file with the readable output of the session. */
  output_file: string | null
  exit_reason: string | null
  session_id: string
  task_status: TaskStatus | null
  phase: Phase | null
  /** When a task that backs off or is parked goes on. */
  phase_until: string | null
  /** Why it is in this state. */
  reason: string | null
  /** What comes next: what the session waits for, and until when. Null when there is no such session. */
  next: NextJson | null
  question: QuestionJson | null
  last_words: string | null
  /** Where its agent works. */
  dir: string | null
  /** Whether the contract of the given workflow step holds; null when it could not be checked. */
  verified?: boolean | null
}

export type MonitorEventJson = {
  seq: number
  at: string
  session_id: string
  event: string
  task_status: TaskStatus | null
  phase: Phase | null
  reason: string | null
}

/** What `monitor` prints: the task that it returns with. Fields that were not asked for are left out. */
export type MonitorJson = MonitoredJson & {
  tasks?: MonitoredJson[]
  cursor?: number
  events?: MonitorEventJson[]
  workflow?: string
  story_key?: string
  state_file?: string
}
