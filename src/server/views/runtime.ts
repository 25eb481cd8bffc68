// Owns how runtimes become the JSON that clients see.
import { runtimeStatus } from '../../domain/runtime/machine.ts'
import { targetOf } from '../../domain/runtime/names.ts'
import type { RuntimeTransition } from '../../domain/runtime/runtime.ts'
import { iso, isoOrNull } from '../../domain/task/session-record.ts'
import { waitsUntil } from '../../domain/task/state.ts'
import type { RuntimeJson, RuntimeTransitionJson } from '../../protocol/json/runtime-json.ts'
import type { RuntimeSeen } from '../../supervisor/desk.ts'
import { elsewhereJson } from './elsewhere.ts'
import { waitsJson } from './wait.ts'

export const runtimeJson = ({ runtime, task, waits, question, elsewhere }: RuntimeSeen): RuntimeJson => ({
  runtime_id: runtime.id,
  agent_id: runtime.agentId,
  role: runtime.role,
  workspace_id: runtime.workspaceId,
  project: task?.project ?? null,
  task_id: runtime.taskId,
  session_id: task?.sessionId ?? null,
  agent_kind: task?.agent ?? null,
  tmux_session: runtime.tmuxSession,
  tmux_window: runtime.tmuxWindow,
  tmux_pane: runtime.tmuxPane,
  tmux_target: targetOf(runtime),
  pid: runtime.pid,
  status: runtimeStatus(runtime.state),
  state: runtime.state,
  state_since: iso(runtime.stateSince),
  reason: runtime.reason,
  wanted: runtime.wanted,
  phase: task?.phase ?? null,
  restart_at: isoOrNull(task === null ? null : waitsUntil(task)),
  ...waitsJson(waits),
  question,
  operator_busy: runtime.operatorBusy === 1,
  last_heartbeat_at: isoOrNull(runtime.lastHeartbeatAt),
  last_heartbeat_status: runtime.lastHeartbeatStatus,
  last_trigger_id: runtime.lastTriggerId,
  restarts: runtime.restarts,
  drifts: runtime.drifts,
  created_at: iso(runtime.createdAt),
  created_by: runtime.createdBy,
  elsewhere: elsewhereJson(elsewhere),
})

export const runtimeTransitionJson = ({
  at,
  event,
  from,
  to,
  reason,
  evidence,
}: RuntimeTransition): RuntimeTransitionJson => ({
  at: iso(at),
  event,
  from,
  to,
  reason,
  evidence: [...evidence],
})
