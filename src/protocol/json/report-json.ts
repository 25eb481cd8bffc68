// Owns the JSON of a report: all that a colleague needs to know of a session, with secrets removed and long texts cut.
import type { ChangedFileJson } from './changes-json.ts'
import type { EvidenceJson, StoryJson } from './recovery-json.ts'
import type { TaskDetailJson } from './task-json.ts'
import type { TriggerStepJson } from './trigger-json.ts'

/** A text that may be cut. `bytes`: how long it is in full; `cut`: at its beginning, at its end, or not at all. */
export type CutTextJson = { text: string; bytes: number; cut: 'begin' | 'end' | null }

/** One thing that an agent did. `ok`: null while it is not known to have ended. */
export type ReportStepJson = { tool: string; detail: string; ok: boolean | null; at: string | null }

/** One run: how it began, how it ended, and what is known of it. */
export type ReportRunJson = {
  number: number
  how: string
  state: string
  /** When its agent was seen at work, or when it was launched. */
  started_at: string
  ended_at: string | null
  /** `code 1` or `signal KILL`. */
  exit: string | null
  failure: string | null
  tools: number
  progress: number
  /** What it was told at its beginning, when it followed another run. */
  told: CutTextJson | null
  /** What its end was concluded from. */
  evidence: EvidenceJson[]
  /** The last things it did, oldest first. */
  steps: ReportStepJson[]
}

/** Something that was said to the agent, and how far it came. */
export type ReportInputJson = {
  number: number
  kind: string
  by: string
  text: CutTextJson
  queued_at: string
  said_at: string | null
  heard_at: string | null
  done_at: string | null
  /** Of a prompt that somebody sent. */
  state: string | null
  code: string | null
  steps: TriggerStepJson[]
}

/** The last verification of the work. */
export type ReportVerificationJson = { verified: boolean; rounds: number; failures: string[]; at: string }

/** What changed in the repository since the session was created: against the commit and the files as they were then. */
export type ReportChangesJson = {
  /** The commit; null when there was none yet, and when it is not known what changed. */
  since: string | null
  /** Why it is not known; null when it is. */
  why_unknown: string | null
  files: ChangedFileJson[]
  /** How many more files changed. */
  files_left_out: number
  /** A unified diff. */
  patch: string
  /** The diff is longer than what is shown. */
  patch_cut: boolean
}

/** `GET /api/tasks/:id/report`. */
export type ReportJson = {
  made_at: string
  version: string
  session: TaskDetailJson
  prompt: CutTextJson
  /** All transitions, oldest first; of very many, the last ones. */
  story: StoryJson[]
  story_left_out: number
  runs: ReportRunJson[]
  inputs: ReportInputJson[]
  /** The end of what the session wrote. */
  output: CutTextJson
  /** The result as it was handed in; null without one. */
  result: CutTextJson | null
  verification: ReportVerificationJson | null
  changes: ReportChangesJson
}
