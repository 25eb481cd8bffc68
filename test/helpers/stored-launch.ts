import { moveTask } from '../../src/changes/move-task.ts'
import type { RunId, TaskId } from '../../src/domain/names/ids.ts'
import type { Task } from '../../src/domain/task/task.ts'
import type { Core } from '../../src/supervisor/task/core.ts'
import { aRunDraft } from '../builders/run.ts'

/** As if a daemon had stored that it launches this run, and had got no further. */
export async function storeLaunch(
  taskId: TaskId,
  runId: RunId,
  core: Core,
  options: { readonly number?: number; readonly set?: Partial<Pick<Task, 'sessionId'>> } = {},
): Promise<void> {
  const at = core.clock.now()
  const { number = 1, set } = options
  await core.store.commit({
    newRun: aRunDraft(taskId, { id: runId, number, createdAt: at }),
    task: moveTask({
      ...{ id: taskId, from: 'pending', event: 'launched', reason: `run ${number}`, evidence: [], at },
      set: { runId, startedAt: at, ...set },
    }),
  })
}
