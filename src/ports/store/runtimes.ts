// Owns what is remembered of runtimes: the registry's reads, and the parts of a change that write it.

import type { RuntimeId, TaskId } from '../../domain/names/ids.ts'
import type { RuntimeEvent, RuntimeState } from '../../domain/runtime/machine.ts'
import type { Runtime, RuntimeTransition } from '../../domain/runtime/runtime.ts'
import type { Evidence } from '../../domain/task/evidence.ts'

export interface RuntimeReads {
  /** All of this node, by their agent id. */
  runtimes(): Promise<Runtime[]>
  /** Those of all nodes, by their agent id. */
  allRuntimes(): Promise<Runtime[]>
  runtime(id: RuntimeId): Promise<Runtime | undefined>
  /** By `<role>@<slug>`. */
  runtimeNamed(agentId: string): Promise<Runtime | undefined>
  runtimeOfTask(taskId: TaskId): Promise<Runtime | undefined>
  /** The latest, oldest first. */
  runtimeTransitions(id: RuntimeId, most: number): Promise<RuntimeTransition[]>
}

export type RuntimeDraft = Pick<
  Runtime,
  | 'id'
  | 'taskId'
  | 'agentId'
  | 'workspaceId'
  | 'role'
  | 'tmuxSession'
  | 'tmuxWindow'
  | 'createdAt'
  | 'createdBy'
>

/** Facts that follow what is seen and move nothing. */
export type RuntimeNotes = Partial<
  Pick<Runtime, 'taskId' | 'wanted' | 'pid' | 'operatorBusy' | 'lastTriggerId' | 'restarts' | 'drifts'>
>

/** `from` is what the decision was made on: if it no longer holds, nothing is written. */
export type RuntimeMove = {
  readonly id: RuntimeId
  readonly from: RuntimeState
  readonly event: RuntimeEvent
  readonly reason: string
  readonly evidence: readonly Evidence[]
  readonly at: number
  readonly set?: RuntimeNotes
}

/** The parts of a change that concern runtimes. */
export type RuntimeChange = {
  /** RUNTIME_EXISTS when its role in the workspace, or its place in tmux, is taken. */
  readonly registerRuntime?: RuntimeDraft
  readonly moveRuntime?: RuntimeMove
  readonly noteRuntime?: { readonly id: RuntimeId; readonly set: RuntimeNotes }
  /** With its transitions. Its task stays. */
  readonly dropRuntime?: { readonly id: RuntimeId; readonly at: number }
}
