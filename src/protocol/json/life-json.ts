// Owns the JSON of what a session shows: its screen, its result, whether it is alive.

import type { SessionState } from '../../domain/task/session-state.ts'

export type ScreenJson = { session_id: string; screen: string; live: boolean }
/** Whether a session is alive. `session_state` is `other_checks`, corrected by the clock of the session's statusline. */
export type StatusCheckJson = {
  session_id: string
  session_state: SessionState
  other_checks: SessionState
  phase: string | null
  /** The clock of the statusline as HH:MM:SS, at the last check and now; null when none was seen. */
  previous_time: string | null
  current_time: string | null
  context_percent: number | null
  silent_seconds: number | null
}
/** What the session was told at its start, whole. */
export type PromptJson = { session_id: string; prompt: string }
export type ResultJson = { session_id: string; result: unknown }
