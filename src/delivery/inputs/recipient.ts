import type { Run, Task } from '../../domain/task/task.ts'

/** A run that something is said to, and its task, as last stored: both are replaced here when a commit changes them. */
export type Recipient = {
  task: Task
  run: Run
}
