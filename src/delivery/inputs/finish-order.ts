// Owns when an order to finish a session is due: its turn is over, and all that was sent before is said.

import type { Phase } from '../../domain/task/machine.ts'
import type { Input, Task } from '../../domain/task/task.ts'
import type { ConversationReads, Reads } from '../../ports/store.ts'
import { staysWhenIdle } from './hearing.ts'
import type { Recipient } from './recipient.ts'
import { unsaidPrompts } from './said.ts'

export const finishedBy = (by: string) => `finished by ${by}`

/** The order that is not carried out yet. */
export const orderIn = (inputs: readonly Input[]) =>
  inputs.find(({ kind, saidAt }) => kind === 'finish' && saidAt === null)

/** Nothing of its own or of a person's is under way then. */
const TURN_IS_OVER: ReadonlySet<Phase | null> = new Set(['idle', 'stopped_by_person'])
export const isTurnOver = ({ phase }: Pick<Task, 'phase'>) => TURN_IS_OVER.has(phase)

/** The order whose time has come: its turn is over, and all that was sent is said. */
export const dueFinish = (task: Task, inputs: readonly Input[]) =>
  isTurnOver(task) && unsaidPrompts(inputs).length === 0 ? orderIn(inputs) : undefined

export const isFinishDue = async (
  { task }: Pick<Recipient, 'task'>,
  { store }: Reads<ConversationReads>,
): Promise<boolean> =>
  staysWhenIdle(task) && isTurnOver(task) && dueFinish(task, await store.inputs(task.id)) !== undefined
