// Owns bringing a task's visible files up to what is stored. state.json and session.log are views of the store.
import type { TaskId } from '../../domain/names/ids.ts'
import { placeOfRuntime } from '../../domain/runtime/names.ts'
import type { Task } from '../../domain/task/task.ts'
import type { Reads } from '../../ports/store/store.ts'
import type { TaskReads } from '../../ports/store/tasks.ts'
import type { Core } from './core.ts'
import { sessionLog } from './session-log.ts'

/** Call it only under the task's lock. A task that was removed has no files. */
export async function writeTaskFiles(
  id: TaskId,
  needs: Pick<Core, 'handoff' | 'taskFiles' | 'terminal'> & Reads<TaskReads>,
): Promise<void> {
  const task = await needs.store.task(id)
  if (task === undefined) return
  needs.taskFiles.dropDeferred(id)
  await needs.handoff.writeState(task)
  await writeLog(task, needs)
}

/** The lines are the same every time, so the file's length tells which are missing, also after a crash. */
async function writeLog(
  task: Task,
  { store, handoff, terminal }: Pick<Core, 'handoff' | 'terminal'> & Reads<TaskReads>,
): Promise<void> {
  const { promptFile } = handoff.paths(task)
  const places = { promptFile, tmuxSession: terminal.sessionName(task.id, placeOfRuntime(task.runtime)) }
  const lines = sessionLog(task, await store.transitions(task.id), places)
  const missing = lines.slice(await handoff.logLength(task))
  if (missing.length > 0) await handoff.log(task, missing)
}
