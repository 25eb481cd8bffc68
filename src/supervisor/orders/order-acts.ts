// Owns what each kind of order does. To add an order, add its kind to ORDER_KINDS and a row here.
import type { Order, OrderKind } from '../../domain/task/order.ts'
import { isTimed } from '../../domain/task/state.ts'
import type { Task } from '../../domain/task/task.ts'
import { archiveTask } from '../upkeep/archive-tasks.ts'
import { finishTask } from './finish-task.ts'
import { handBack, takeOver } from './hand-over.ts'
import { killTask } from './kill-task.ts'
import type { OrdersNeeds } from './needs.ts'
import { type PersonDecision, personDecides } from './person-decides.ts'
import { unpark } from './unpark.ts'

/** `env`: the environment for an ended task that is brought back, because its own is deleted. It is not stored, so a crash loses it. */
export type Given = {
  readonly order: Order
  readonly task: Task
  readonly env: PersonDecision['env']
}

/** Resolves with false when there was nothing to do any more. */
type Act = (given: Given, core: OrdersNeeds) => Promise<boolean>

export const orderActs: Readonly<Record<OrderKind, Act>> = {
  kill: ({ order: { by, words }, task }, core) => killTask(task.id, { by, reason: words ?? 'Killed' }, core),
  finish: ({ order: { by }, task }, core) => finishTask(task, by, core),
  resume: async ({ order: { id, by, words }, task, env }, core) => {
    const word = { by, along: { effectOf: id }, ...(words === null ? {} : { prompt: words }) }
    if (isTimed(task)) await unpark(task, word, core)
    else await personDecides(task.id, { choice: 'resume', ...word, env }, core)
    return true
  },
  retry: async ({ order: { id, by }, task, env }, core) => {
    await personDecides(task.id, { choice: 'retry', by, env, along: { effectOf: id } }, core)
    return true
  },
  takeover: async ({ order, task }, core) => {
    await takeOver(task, order, core)
    return true
  },
  handback: async ({ order, task }, core) => {
    await handBack(task, order, core)
    return true
  },
  unpark: async ({ order: { id, by }, task }, core) => {
    await unpark(task, { by, along: { effectOf: id } }, core)
    return true
  },
  archive: ({ order: { by }, task }, core) => archiveTask(task.id, by, core),
}
