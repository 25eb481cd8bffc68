import type { Task } from './task.ts'

/** The agent does not end after its turn: a person ends it, in its terminal or by an order. */
export const staysWhenIdle = ({ mode, snapshot }: Pick<Task, 'mode' | 'snapshot'>) =>
  mode === 'interactive' || snapshot.converse === true
