// Owns a person's order to end a task.
import { saw } from '../domain/evidence.ts'
import type { TaskId } from '../domain/ids.ts'
import type { Task } from '../domain/task.ts'
import { isEnded } from '../domain/task-machine.ts'
import type { Core } from './core.ts'
import { tidyTask } from './tidy-task.ts'
import { refresh } from './watch-task.ts'

export type KillOrder = { readonly by: string; readonly reason: string }

/** Resolves when the task has ended and nothing of its run is left. `false`: it had ended before. */
export async function killTask(id: TaskId, order: KillOrder, core: Core): Promise<boolean> {
  const acted = await core.alone(id, () => orderEnd(id, order, core))
  if (!acted) return false
  await untilEnded(id, core)
  // Its tidying up is under way in the task's turn; ours comes after it.
  await core.alone(id, async () => {})
  return true
}

/** Of a run that lives, its end is ordered; a task without one is ended at once. */
export async function orderEnd(id: TaskId, order: KillOrder, core: Core): Promise<boolean> {
  const task = (await core.store.task(id))!
  if (isEnded(task.status)) return false
  const at = core.clock.now()
  const audit = { at, kind: 'kill_ordered', taskId: id, actor: order.by, detail: order.reason }
  if (!hasRun(id, core)) await cancelWaiting(task, order, core)
  else await core.store.orderStop(id, { kind: 'kill', at, ...order }, audit)
  const watch = core.watched.get(id)
  if (watch !== undefined) await refresh(watch, core)
  core.poke(id)
  return true
}

/** Queued, or waiting for a time or a person with its last run over. */
const hasRun = (id: TaskId, core: Core) => core.watched.has(id)

async function cancelWaiting(task: Task, { by, reason }: KillOrder, core: Core): Promise<void> {
  const at = core.clock.now()
  await core.store.record({
    task: {
      id: task.id,
      from: task.status,
      event: 'cancelled',
      reason,
      evidence: [saw('person', `ended by ${by}`)],
      at,
      set: { endedAt: at, gate: null },
    },
    audit: { at, kind: 'task_cancelled', taskId: task.id, actor: by, detail: reason },
  })
  core.bell.ring(task.id)
  await tidyTask(task.id, core)
}

export function untilEnded(id: TaskId, core: Core): Promise<void> {
  return new Promise((resolve, reject) => {
    const check = () =>
      core.store.task(id).then((task) => {
        if (task !== undefined && !isEnded(task.status)) return
        off()
        resolve()
      }, reject)
    const off = core.bell.on(id, check)
    void check()
  })
}
