// Owns what is done when a task has ended: leftovers ended, files up to date, last screen kept, pane closed, secrets gone.
import type { RunId, TaskId } from '../../domain/names/ids.ts'
import type { Task } from '../../domain/task/task.ts'
import { redactSecrets } from '../../domain/text/redact-secrets.ts'
import type { Core } from './core.ts'
import { sweep } from './end-run.ts'
import type { TaskNeeds } from './needs.ts'
import { writeTaskFiles } from './write-task-files.ts'

/** Doing it twice is the same as once. Until the task is marked tidied, every start of the daemon does it again. */
export async function tidyTask(id: TaskId, core: TaskNeeds): Promise<void> {
  const task = await core.store.task(id)
  if (task === undefined) return
  await writeTaskFiles(id, core)
  if (task.runId !== null) await endLeftovers(task.runId, core)
  await keepLastScreen(task, core)
  for (const run of await core.store.runsOf(id)) await core.runFiles.forgetSecrets(run.id)
  await core.handoff.close(task)
  await core.commit({ tidied: { id, isTidied: true } })
}

/** Processes that an agent left running are ended with its run. */
async function endLeftovers(
  runId: RunId,
  core: Pick<Core, 'clock' | 'findProcessesOfRun' | 'log' | 'processes'>,
): Promise<void> {
  const { killed: ended } = await sweep(runId, core)
  if (ended > 0) core.log.info('ended processes that a run left behind', { run: runId, processes: ended })
}

/** A tmux that does not answer must not keep the task from being tidied: its last screen is then lost. */
async function keepLastScreen(task: Task, core: Pick<Core, 'handoff' | 'log' | 'terminal'>): Promise<void> {
  if (task.runId === null || core.terminal.health() !== 'up') return
  try {
    const screen = await core.terminal.readScreen(task.id, task.runId)
    if (screen !== undefined) await core.handoff.writeScreen(task, redactSecrets(screen))
    if (task.snapshot.closePane) await core.terminal.close(task.id, task.runId)
  } catch (error) {
    core.log.warn('could not keep the last screen', { task: task.id, error: String(error) })
  }
}
