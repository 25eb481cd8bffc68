// Owns which sessions are at rest: their turn is over and nothing is left to be said.

import { isUnsaid, openTurn } from '../../../delivery/inputs/said.ts'
import { staysWhenIdle } from '../../../domain/task/stays-when-idle.ts'
import type { Task } from '../../../domain/task/task.ts'
import type { ConversationReads } from '../../../ports/store/conversation.ts'
import type { Reads } from '../../../ports/store/store.ts'

/** True for an idle session that no prompt and no end is on the way to. Unsaid answers do not count: they came too late and are never said. */
export async function isAtRest(task: Task, { store }: Reads<ConversationReads>): Promise<boolean> {
  const { id, status, phase, stop, restart, runId } = task
  if (status !== 'running' || phase !== 'idle' || runId === null) return false
  if (stop !== null || restart !== null || !staysWhenIdle(task)) return false
  const inputs = await store.inputs(id)
  const isWaiting = inputs.some((input) => input.kind !== 'answer' && isUnsaid(input))
  return !isWaiting && openTurn(inputs, runId) === undefined
}
