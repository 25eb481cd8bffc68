import { asNodeId, asRuntimeId, asWorkspaceId, type TaskId } from '../../src/domain/names/ids.ts'
import { agentIdOf, placeOf } from '../../src/domain/runtime/names.ts'
import type { Runtime } from '../../src/domain/runtime/runtime.ts'
import type { RuntimeDraft } from '../../src/ports/store/runtimes.ts'
import { NOON, TASK_ID } from './ids.ts'

/** The runtime of a role in the workspace `core`. */
export function aRuntimeDraft(
  role: string,
  taskId: TaskId,
  changes: Partial<RuntimeDraft> = {},
): RuntimeDraft {
  const { session, window } = placeOf(role, 'core')
  return {
    id: asRuntimeId(`rt_${role.replace(/\W/g, '')}000000`),
    taskId,
    agentId: agentIdOf(role, 'core'),
    workspaceId: asWorkspaceId('workspace'),
    role,
    tmuxSession: session,
    tmuxWindow: window,
    createdAt: NOON,
    createdBy: 'ada',
    ...changes,
  }
}

export const aRuntime = (changes: Partial<Runtime> = {}): Runtime => ({
  ...aRuntimeDraft('reviewer', TASK_ID),
  nodeId: asNodeId('node-a'),
  tmuxPane: 0,
  state: 'ready',
  stateSince: NOON,
  reason: 'its agent is there',
  wanted: 'up',
  pid: 4711,
  operatorBusy: 0,
  lastHeartbeatAt: null,
  lastHeartbeatStatus: null,
  lastTriggerId: null,
  restarts: 0,
  drifts: 0,
  ...changes,
})
