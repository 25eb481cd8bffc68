// Owns the JSON of what a run asks in its own name.
import type { BridgeNote } from '../../domain/run/bridge-note.ts'
import type { Heartbeat } from '../../domain/run/heartbeat.ts'

/** Whether the tools of Holdfast reached the agent of a run. */
export type BridgeState = BridgeNote

/** The run that asks, and its session. */
export type SelfJson = { run_id: string; session_id: string; dir: string; project: string }

/** What the agent of a run says about itself. */
export type HeartbeatStatus = Heartbeat['status']
export type HeartbeatAskJson = { status?: HeartbeatStatus }
export type HeartbeatSeenJson = { status: HeartbeatStatus; at: string }
/** The session whose heartbeat was recorded, and when. */
export type HeartbeatJson = { session_id: string; status: HeartbeatStatus; at: string }

/** `result`: any JSON value. It replaces what was submitted before. */
export type SubmitResultJson = { result: unknown }
/** `result_file`: where it lies. */
export type ResultSubmittedJson = { session_id: string; result_file: string }
