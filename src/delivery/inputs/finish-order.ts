// Owns when an order to finish a session is due: the session's turn is over, and all prompts that were sent are said.

import type { Phase } from '../../domain/task/machine.ts'
import type { Input, Task } from '../../domain/task/task.ts'
import type { ConversationReads, Reads } from '../../ports/store.ts'
import { staysWhenIdle } from './hearing.ts'
import type { Recipient } from './recipient.ts'
import { isPrompt } from './said.ts'

export const finishedBy = (by: string) => `finished by ${by}`

/** The order to finish that is not carried out yet. */
export const orderIn = (inputs: readonly Input[]) =>
  inputs.find(({ kind, saidAt }) => kind === 'finish' && saidAt === null)

/** The phases in which neither the agent nor a person is busy with a turn. */
const TURN_IS_OVER: ReadonlySet<Phase | null> = new Set(['idle', 'stopped_by_person'])
export const isTurnOver = ({ phase }: Pick<Task, 'phase'>) => TURN_IS_OVER.has(phase)

/** The order to finish, if it is due now. */
export const dueFinish = (task: Task, inputs: readonly Input[]) =>
  isTurnOver(task) && !inputs.some((input) => isPrompt(input) && input.saidAt === null)
    ? orderIn(inputs)
    : undefined

export const isFinishDue = async (
  { task }: Pick<Recipient, 'task'>,
  { store }: Reads<ConversationReads>,
): Promise<boolean> =>
  staysWhenIdle(task) && isTurnOver(task) && dueFinish(task, await store.inputs(task.id)) !== undefined
