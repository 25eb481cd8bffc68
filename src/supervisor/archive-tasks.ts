// Owns putting ended tasks away. Each step may be repeated; the mark in the store comes last, so a crash only means: once more.
import { HoldfastError, messageOf } from '../domain/errors.ts'
import type { TaskId } from '../domain/ids.ts'
import type { Task, TaskSummary } from '../domain/task.ts'
import { ENDED, isEnded, type TaskStatus } from '../domain/task-machine.ts'
import type { Core } from './core.ts'
import { tidyTask } from './tidy-task.ts'

const AT_ONCE = 5
const MOST_ORDERED = 10_000

/** False when it was archived before. TASK_ACTIVE while it has not ended. */
export function archiveTask(id: TaskId, by: string, core: Core): Promise<boolean> {
  return core.alone(id, async () => {
    const task = (await core.store.task(id))!
    if (task.archivedAt !== null) return false
    if (!isEnded(task.status))
      throw new HoldfastError('TASK_ACTIVE', `Session ${id} has not ended: only ended sessions are archived.`)
    if ((await core.store.untidied()).includes(id)) await tidyTask(id, core)
    await putAway(task, by, core)
    return true
  })
}

async function putAway(task: Task, by: string, core: Core): Promise<void> {
  const at = core.clock.now()
  await core.handoff.archive(task, at)
  for (const run of await core.store.runsOf(task.id)) await core.runFiles.shrink(run.id)
  if (!(await core.store.markArchived(task.id, at))) return
  await core.store.audit({ at, kind: 'task_archived', taskId: task.id, actor: by, detail: task.status })
  core.upkeep.sizes.delete(task.id)
  core.bell.ring('all')
}

/** Every ended task that is older, for a person who says so. */
export async function archiveOlder(olderThanMs: number, by: string, core: Core): Promise<TaskId[]> {
  const archived: TaskId[] = []
  for (const { id } of await oldOnes(olderThanMs, ENDED, MOST_ORDERED, core))
    if (await archiveTask(id, by, core)) archived.push(id)
  return archived
}

/** Completed tasks by their age, a few each time. */
export async function archiveByAge(core: Core): Promise<void> {
  const after = core.config['archive.after']
  if (after === null) return
  for (const { id } of await oldOnes(after, ['completed'], AT_ONCE, core))
    await archiveTask(id, 'holdfast', core).catch((error) =>
      core.log.error('could not archive', { task: id, error: messageOf(error) }),
    )
}

const oldOnes = (
  ageMs: number,
  statuses: readonly TaskStatus[],
  most: number,
  core: Core,
): Promise<TaskSummary[]> => core.store.archivable(core.clock.now() - ageMs, most, statuses)
