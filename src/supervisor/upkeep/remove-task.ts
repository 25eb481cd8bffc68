// Owns removing an ended task for ever. Its files go first: after a crash the task is still listed, and can be removed
// again.
import { HoldfastError, waysOut } from '../../domain/errors.ts'
import type { TaskId } from '../../domain/names/ids.ts'
import { isEnded } from '../../domain/task/machine.ts'
import type { Task } from '../../domain/task/task.ts'
import type { Change } from '../../ports/store/commits.ts'
import type { RunReads } from '../../ports/store/runs.ts'
import type { Reads } from '../../ports/store/store.ts'
import type { Core } from '../task/core.ts'
import { existingTask } from '../task/existing-task.ts'
import { tidyTask } from '../task/tidy-task.ts'
import type { UpkeepNeeds } from './needs.ts'

/**
 * Returns the task as it was. TASK_ACTIVE while it has not ended. Its journal events and audit rows
 * stay until they are old. `also`: what is written together with it.
 */
export function removeTask(
  id: TaskId,
  by: string,
  core: UpkeepNeeds,
  also: Pick<Change, 'dropRuntime'> = {},
): Promise<Task> {
  return core.withLock(id, async () => {
    const task = await existingTask(id, core)
    if (!isEnded(task.status))
      throw new HoldfastError('TASK_ACTIVE', `Session ${id} has not ended: end it first.`, {
        waysOut: waysOut(id, 'kill'),
      })
    if ((await core.store.untidied()).includes(id)) await tidyTask(id, core)
    await removeFiles(task, core)
    const at = core.clock.now()
    await core.commit({
      ...also,
      remove: { id, at },
      audit: { at, kind: 'task_removed', taskId: id, actor: by, detail: task.title },
    })
    core.upkeep.sizes.delete(id)
    return task
  })
}

async function removeFiles(
  task: Task,
  core: Pick<Core, 'handoff' | 'homeFiles'> & Reads<RunReads>,
): Promise<void> {
  for (const run of await core.store.runsOf(task.id)) {
    await core.homeFiles.remove({ kind: 'run', id: run.id })
    await core.homeFiles.remove({ kind: 'exit', id: run.id })
  }
  await core.handoff.removeFiles(task)
}
