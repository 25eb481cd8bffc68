// Owns the panes of headless runs: each live run has a window on its output; panes without an open run are closed.

import { messageOf } from '../../domain/errors.ts'
import { asRunId } from '../../domain/names/ids.ts'
import type { Task } from '../../domain/task/task.ts'
import type { Pane } from '../../ports/run/terminal.ts'
import type { RunReads } from '../../ports/store/runs.ts'
import type { Reads } from '../../ports/store/store.ts'
import type { TaskReads } from '../../ports/store/tasks.ts'
import type { Core, Watch } from '../task/core.ts'
import type { WatchingNeeds } from './needs.ts'

/** After the death of the tmux server the headless runs live on; only their windows are opened again. */
export async function matchWindows(core: WatchingNeeds): Promise<void> {
  if (core.terminal.health() !== 'up') return
  const panes = await core.terminal.panes()
  const shown = new Set(panes.map(({ mark }) => mark))
  const live = [...core.watched.values()].filter(
    ({ task, run }) => task.mode === 'headless' && run.state === 'live',
  )
  for (const watch of live) if (!shown.has(watch.run.id)) await openWindow(watch, core)
  for (const pane of panes) if (!core.taskOfRun.has(asRunId(pane.mark))) await closeLeftOver(pane, core)
}

async function openWindow(
  { task, run }: Watch,
  core: Pick<Core, 'log' | 'runFiles' | 'terminal'>,
): Promise<void> {
  try {
    await core.terminal.open({
      task: task.id,
      mark: run.id,
      argv: core.runFiles.windowArgv(run.id),
      cwd: task.dir,
      size: 'viewer',
    })
  } catch (error) {
    core.log.warn('could not open a window', { task: task.id, error: messageOf(error) })
  }
}

/**
 * Under the task's lock, so that the last screen of an ending task is read first. The pane of an
 * unknown run is not ours to close.
 */
async function closeLeftOver(
  { mark }: Pane,
  core: Pick<Core, 'withLock' | 'terminal'> & Reads<RunReads & TaskReads>,
): Promise<void> {
  const run = await core.store.run(asRunId(mark))
  if (run === undefined) return
  await core.withLock(run.taskId, async () => {
    const task = await core.store.task(run.taskId)
    if (task === undefined || task.runId !== run.id || mayClose(task))
      await core.terminal.close(run.taskId, mark)
  })
}

/** The pane of an ended task stays when its settings say so. */
const mayClose = ({ endedAt, snapshot }: Task) => endedAt !== null && snapshot.closePane
