import type { TaskRowJson } from '../../../src/protocol/json/task-json.ts'
import { hasEnded } from '../words/state.ts'
import { span, timeOf } from '../words/time.ts'
import { Lasting } from './age.tsx'

type Timed = Pick<TaskRowJson, 'task_status' | 'started_at' | 'elapsed_seconds'>

/** How long a task took, or takes so far. */
export const Took = ({ task }: { readonly task: Timed }) =>
  hasEnded(task) || task.started_at === null ? (
    span(task.elapsed_seconds * 1000)
  ) : (
    <Lasting at={timeOf(task.started_at)} />
  )
