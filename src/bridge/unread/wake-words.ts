// Owns what an agent is told when there are unread messages for it.
import type { ThreadId } from '../../domain/names/ids.ts'
import { readAgentId } from '../../domain/runtime/names.ts'
import type { Task } from '../../domain/task/task.ts'

export const wakeWords = (thread: ThreadId, task: Pick<Task, 'role' | 'runtime'>) =>
  [
    `Read unread messages for thread ${thread}, continue ${roleOf(task) ?? 'your'} workflow, then post status update.`,
    `(By the tools read_messages and post_message; or \`holdfast thread read ${thread}\` and \`holdfast thread post ${thread} --kind status "…"\`.)`,
  ].join('\n')

/** A runtime may have a role without a file for it. */
const roleOf = ({ role, runtime }: Pick<Task, 'role' | 'runtime'>) =>
  runtime === null ? role : readAgentId(runtime)?.role
