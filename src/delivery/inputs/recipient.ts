import type { Run } from '../../domain/task/run.ts'
import type { Task } from '../../domain/task/task.ts'

/**
 * The run that inputs are said to, and its task, as last stored. When a commit changes one of them, it is replaced
 * here.
 */
export type Recipient = {
  task: Task
  run: Run
}
