// Owns what `monitor` asks the daemon, what it hears, and what it prints.
import type { FinalState } from '../domain/task/final-state.ts'
import type { Phase, TaskStatus } from '../domain/task/machine.ts'
import type { NextJson, QuestionJson } from './task-json.ts'

/** Answered when it is over, when something is not as it was `seen`, or after the time to wait. */
export type MonitorAskJson = {
  /** Ids, or beginnings of ids. */
  ids: string[]
  /** The first of them is enough. */
  any?: boolean
  /** What the last answer said; absent asks for an answer at once. */
  seen?: string
  wait_seconds: number
  /** `ended`: a session at rest goes on. */
  until?: 'idle' | 'ended'
  /** A name under which the daemon remembers what this caller was told. */
  cursor?: string
  /** The caller has all that it was told up to here. */
  ack?: number
}
/** `over`: there is something to return with. `cursor` is null for a caller without one. */
export type MonitorLookJson = {
  over: boolean
  seen: string
  tasks: MonitoredJson[]
  cursor: number | null
  events: MonitorEventJson[]
}

export type MonitoredJson = {
  /** Null while it goes on. */
  final_state: FinalState | null
  /** Its readable output. */
  output_file: string | null
  exit_reason: string | null
  session_id: string
  task_status: TaskStatus | null
  phase: Phase | null
  /** When a task that backs off or is parked goes on. */
  phase_until: string | null
  /** Why it is in this state. */
  reason: string | null
  /** What comes next: what it waits for, and until when. Null where there is no such session. */
  next: NextJson | null
  question: QuestionJson | null
  last_words: string | null
  /** Where its agent works. */
  dir: string | null
  /** By the contract of the step that was named; null when it could not be asked. */
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

/** What is printed: the task it is about. Fields that were not asked for are left out. */
export type MonitorJson = MonitoredJson & {
  tasks?: MonitoredJson[]
  cursor?: number
  events?: MonitorEventJson[]
  workflow?: string
  story_key?: string
  state_file?: string
}
