// Owns a person's order to end a task.

import { moveTask } from '../../changes/move-task.ts'
import { tryCommit } from '../../changes/try-commit.ts'
import type { TaskId } from '../../domain/names/ids.ts'
import { saw } from '../../domain/task/evidence.ts'
import { isEnded } from '../../domain/task/machine.ts'
import type { Task } from '../../domain/task/task.ts'
import type { AuditEntry } from '../../ports/store/audit.ts'
import type { Change } from '../../ports/store/commits.ts'
import type { Reads } from '../../ports/store/store.ts'
import type { TaskReads } from '../../ports/store/tasks.ts'
import type { Core } from '../task/core.ts'
import { existingTask } from '../task/existing-task.ts'
import { tidyTask } from '../task/tidy-task.ts'
import type { OrdersNeeds } from './needs.ts'

export type KillOrder = { readonly by: string; readonly reason: string }
type Along = Pick<Change, 'answered' | 'effectOf' | 'requestKey'>

/** Resolves when the task has ended and no process of its run is left. False when it had ended before. */
export const killTask = async (id: TaskId, order: KillOrder, core: OrdersNeeds): Promise<boolean> =>
  (await orderKill(id, order, core))()

/** Resolves when the order is stored. The returned function resolves when the order is carried out. */
export async function orderKill(
  id: TaskId,
  order: KillOrder,
  core: OrdersNeeds,
): Promise<() => Promise<boolean>> {
  const acted = await core.withLock(id, () => orderEnd(id, order, core))
  return async () => {
    if (!acted) return false
    await untilEnded(id, core)
    // The task is tidied up under its lock; this waits until that is done.
    await core.withLock(id, async () => {})
    return true
  }
}

/**
 * Orders the end of the task's run; a task without a run is cancelled at once. False when the task had ended before.
 * `along` is stored with it.
 */
export async function orderEnd(
  id: TaskId,
  order: KillOrder,
  core: OrdersNeeds,
  along: Along = {},
): Promise<boolean> {
  const task = await existingTask(id, core)
  if (isEnded(task.status)) return false
  const at = core.clock.now()
  const audit: AuditEntry = { at, kind: 'kill_ordered', taskId: id, actor: order.by, detail: order.reason }
  if (!hasRun(id, core)) await cancelWaiting(task, order, along, core)
  else await tryCommit({ stop: { id, order: { kind: 'kill', at, ...order } }, audit, ...along }, core)
  return true
}

/** False for a task that is queued, or that waits for a time or a person after its last run ended. */
const hasRun = (id: TaskId, core: Pick<Core, 'watched'>) => core.watched.has(id)

async function cancelWaiting(
  task: Task,
  { by, reason }: KillOrder,
  along: Along,
  core: OrdersNeeds,
): Promise<void> {
  const at = core.clock.now()
  await core.commit({
    task: moveTask({
      id: task.id,
      from: task.status,
      event: 'cancelled',
      reason,
      evidence: [saw('person', `ended by ${by}`)],
      at,
      set: { endedAt: at },
    }),
    audit: { at, kind: 'task_cancelled', taskId: task.id, actor: by, detail: reason },
    ...along,
  })
  await tidyTask(task.id, core)
}

function untilEnded(id: TaskId, core: Pick<Core, 'waiters'> & Reads<TaskReads>): Promise<void> {
  return new Promise((resolve, reject) => {
    const check = () =>
      core.store.task(id).then(
        (task) => {
          if (task !== undefined && !isEnded(task.status)) return
          off()
          resolve()
        },
        (error) => {
          off()
          reject(error)
        },
      )
    const off = core.waiters.on(id, check)
    void check()
  })
}
