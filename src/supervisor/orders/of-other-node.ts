// Owns what is told to somebody who wants something of a session of another daemon on the same store: that it can only be
// done there, or that nothing is heard of that daemon.
import { HoldfastError, type WayOut, waysOut } from '../../domain/errors.ts'
import type { Elsewhere } from '../../domain/task/elsewhere.ts'
import { isEnded } from '../../domain/task/machine.ts'
import type { Order, OrderKind } from '../../domain/task/order.ts'
import type { Task } from '../../domain/task/task.ts'
import { elapsed } from '../../domain/text/elapsed.ts'
import type { OwnNode, Reads } from '../../ports/store/store.ts'
import type { TaskReads } from '../../ports/store/tasks.ts'
import { elsewhereOf } from '../task/elsewhere.ts'
import { existingTask } from '../task/existing-task.ts'

type Needs = Parameters<typeof elsewhereOf>[1]

/** Orders that need the caller's environment for an ended task. It may hold secrets, so it is not stored: a crash loses it, and it does not reach another daemon. */
const NEEDS_ENVIRONMENT: ReadonlySet<OrderKind> = new Set(['resume', 'retry'])
export const needsEnvironment = (kind: OrderKind, { status }: Task) =>
  NEEDS_ENVIRONMENT.has(kind) && isEnded(status)

/** OTHER_NODE for an order that could never be carried out, because the environment does not reach that daemon. */
export async function checkReachesNode(
  { kind, taskId }: Pick<Order, 'kind' | 'taskId'>,
  needs: Needs & Reads<TaskReads>,
): Promise<void> {
  if (!NEEDS_ENVIRONMENT.has(kind)) return
  const task = await existingTask(taskId, needs)
  if (needsEnvironment(kind, task) && !isOurs(task, needs))
    throw await otherNode(
      task,
      'It has ended, and is brought back with the environment of that machine.',
      needs,
    )
}

/** NODE_SILENT when nothing is heard of the daemon that has to carry out the order. */
export async function checkNodeIsHeard(
  { kind, taskId }: Order,
  needs: Needs & Reads<TaskReads>,
): Promise<void> {
  const task = await existingTask(taskId, needs)
  const elsewhere = await elsewhereOf(task, needs)
  if (elsewhere === null || elsewhere.silentSince === null) return
  const silent = elapsed((needs.clock.now() - elsewhere.silentSince) / 1000)
  throw new HoldfastError(
    'NODE_SILENT',
    `The order (${kind}) is stored and not carried out: nothing was heard of the daemon of ${task.id}, on ${placeOf(elsewhere)}, for ${silent}.`,
  )
}

/** For what only the daemon of this task can do. */
export async function otherNode(
  task: Task,
  why: string,
  needs: Needs,
  ...ways: WayOut['do'][]
): Promise<HoldfastError> {
  const elsewhere = await elsewhereOf(task, needs)
  const place = elsewhere === null ? 'this machine' : placeOf(elsewhere)
  return new HoldfastError('OTHER_NODE', `${task.id} is a session of the daemon on ${place}. ${why}`, {
    waysOut: waysOut(task.id, ...ways),
  })
}

/** Two daemons may have one host. */
const placeOf = ({ host, nodeId }: Elsewhere) => `${host} (${nodeId.slice(0, 8)})`

export const isOurs = ({ nodeId }: Pick<Task, 'nodeId'>, { store }: Reads<OwnNode>) => nodeId === store.nodeId
