// Owns whether a task can go on in the other mode: taken over into a terminal, or handed back. Pure.
import type { TaskDetailJson } from '../../../src/protocol/json/task-json.ts'
import { hasEnded } from './state.ts'

type Asked = Pick<TaskDetailJson, 'task_status' | 'agent_session_id' | 'stopping' | 'next'>

/** Only a conversation that has begun, and is not about to end, can go on elsewhere. */
export const canGoOnElsewhere = (task: Asked): boolean =>
  !hasEnded(task) &&
  task.task_status !== 'pending' &&
  task.agent_session_id !== null &&
  task.stopping === null &&
  task.next.kind !== 'being_restarted'
