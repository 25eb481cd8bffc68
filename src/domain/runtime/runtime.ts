// Owns what a runtime is: a standing task that holds a role in a workspace, and the registry's row about it.
import type { NodeId, RuntimeId, TaskId, WorkspaceId } from '../names/ids.ts'
import type { Heartbeat } from '../run/heartbeat.ts'
import type { Evidence } from '../task/evidence.ts'
import type { RuntimeBefore, RuntimeEvent, RuntimeState } from './machine.ts'

/** `stopped`: a person ended it, and it does not come back by itself. */
export type Wanted = 'up' | 'stopped'

export type Runtime = {
  readonly id: RuntimeId
  readonly taskId: TaskId
  readonly nodeId: NodeId
  /** `<role>@<workspace slug>`: its name towards people and other agents. */
  readonly agentId: string
  readonly workspaceId: WorkspaceId
  readonly role: string
  readonly tmuxSession: string
  readonly tmuxWindow: string
  readonly tmuxPane: number
  readonly state: RuntimeState
  /** Epoch ms since when it is in this state. */
  readonly stateSince: number
  /** Why it is in this state, in plain words. */
  readonly reason: string
  readonly wanted: Wanted
  /** The agent's process, as last seen; null while there is none. */
  readonly pid: number | null
  /** A person pressed keys at its pane a moment ago. */
  readonly operatorBusy: 0 | 1
  /** Epoch ms of its agent's last heartbeat. */
  readonly lastHeartbeatAt: number | null
  /** What the agent said about itself then. */
  readonly lastHeartbeatStatus: Heartbeat['status'] | null
  readonly lastTriggerId: string | null
  /** How often it was started again since it was registered. */
  readonly restarts: number
  /** How often the registry and tmux did not agree. */
  readonly drifts: number
  readonly createdAt: number
  readonly createdBy: string
}

export type RuntimeTransition = {
  readonly runtimeId: RuntimeId
  /** 1, 2, 3… per runtime. */
  readonly number: number
  readonly event: RuntimeEvent
  readonly from: RuntimeBefore
  readonly to: RuntimeState
  readonly reason: string
  readonly evidence: readonly Evidence[]
  readonly at: number
}
