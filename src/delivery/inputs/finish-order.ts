// Owns when an order to finish a session is due: the session's turn is over, and all prompts that were sent are said.

import type { Input } from '../../domain/task/input.ts'
import { staysWhenIdle } from '../../domain/task/stays-when-idle.ts'
import type { Task } from '../../domain/task/task.ts'
import type { ConversationReads } from '../../ports/store/conversation.ts'
import type { Reads } from '../../ports/store/store.ts'
import type { Recipient } from './recipient.ts'
import { unsaidPrompts } from './said.ts'
import { isTurnOver } from './turn-over.ts'

export const finishedBy = (by: string) => `finished by ${by}`

/** The order to finish that is not carried out yet. */
export const finishOrderIn = (inputs: readonly Input[]) =>
  inputs.find(({ kind, saidAt }) => kind === 'finish' && saidAt === null)

/** The order to finish, if it is due now. */
export const dueFinish = (task: Task, inputs: readonly Input[]) =>
  isTurnOver(task) && unsaidPrompts(inputs).length === 0 ? finishOrderIn(inputs) : undefined

export const isFinishDue = async (
  { task }: Pick<Recipient, 'task'>,
  { store }: Reads<ConversationReads>,
): Promise<boolean> =>
  staysWhenIdle(task) && isTurnOver(task) && dueFinish(task, await store.inputs(task.id)) !== undefined
