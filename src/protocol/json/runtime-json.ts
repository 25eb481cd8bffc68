// Owns the JSON of runtimes: what `--json` and the HTTP API show. Fields may be added, never changed.
import type { RuntimeEvent, RuntimeState, RuntimeStatus } from '../../domain/runtime/machine.ts'
import type { Evidence } from '../../domain/task/evidence.ts'
import type { ElsewhereJson } from './daemon-json.ts'
import type { HeartbeatStatus } from './run-json.ts'
import type { TaskJson } from './task-json.ts'

/** `role`: that of a role file, or any name together with `agent`. `seed`: what it is told first. */
export type StartRuntimeJson = {
  role: string
  /** The absolute path of the directory in which the agent works. */
  dir: string
  seed?: string
  agent?: string
  model?: string
  /** The caller's environment, as for a task. */
  env?: Record<string, string>
  allow_dir?: boolean
}

/** `workspace`: the id of one. */
export type RuntimeListQuery = { workspace?: string; role?: string; status?: string }

export type RuntimeJson = {
  runtime_id: string
  /** `<role>@<workspace slug>`: names the runtime wherever a session is named. */
  agent_id: string
  role: string
  workspace_id: string
  /** Null when its task is gone. */
  project: string | null
  /** The session of the standing task, for `logs`, `why` and the rest. */
  task_id: string
  /** The agent's own session id; null while it has told none. */
  session_id: string | null
  agent_kind: string | null
  tmux_session: string
  tmux_window: string
  tmux_pane: number
  /** `<session>:<window>.<pane>`. */
  tmux_target: string
  pid: number | null
  status: RuntimeStatus
  /** Finer than `status`. */
  state: RuntimeState
  state_since: string
  /** Why it is in this state, in plain words. */
  reason: string
  /** `stopped`: by a person; it does not come back by itself. */
  wanted: 'up' | 'stopped'
  /** What its task does; null when that has ended. */
  phase: TaskJson['phase']
  /** When it is started again; null when no time is set. */
  restart_at: string | null
  /** As in `TaskJson`: a usage limit, for example. */
  waits_for: TaskJson['waits_for']
  waits_until: TaskJson['waits_until']
  /** What you are asked about it, by its agent or by Holdfast; null when nothing is asked. */
  question: string | null
  /** A person pressed keys at its pane within the quiet window. */
  operator_busy: boolean
  last_heartbeat_at: string | null
  /** What its agent said about itself then. */
  last_heartbeat_status: HeartbeatStatus | null
  last_trigger_id: string | null
  restarts: number
  /** How often the registry and tmux did not agree. */
  drifts: number
  created_at: string
  created_by: string
  /** Of a runtime of another daemon on the same store; null of one of this daemon. */
  elsewhere: ElsewhereJson | null
}
export type RuntimeTransitionJson = {
  at: string
  event: RuntimeEvent
  from: RuntimeState | 'unregistered'
  to: RuntimeState
  reason: string
  evidence: Evidence[]
}
/** `transitions`: the latest, oldest first. */
export type RuntimeDetailJson = RuntimeJson & { transitions: RuntimeTransitionJson[] }
/** `how`: what was done to have it up. `notices`: what the caller should know besides. */
export type RuntimeStartedJson = {
  runtime: RuntimeJson
  how: 'registered' | 'brought_back' | 'already_up'
  notices: string[]
}
export type RuntimeStoppedJson = { runtime: RuntimeJson; already_stopped: boolean }
/** A prompt that never reached the runtime that was removed. `trigger_id`: as in the audit. */
export type GivenUpPromptJson = { trigger_id: string; by: string; text: string }
/** `removed`: the runtime as it was before. `given_up`: oldest first. */
export type RuntimeRemovedJson = { removed: RuntimeJson; given_up: GivenUpPromptJson[] }
