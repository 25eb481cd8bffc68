// Owns the panes of headless runs: each live run has a window on its output; panes without an open run are closed.

import { messageOf } from '../domain/errors.ts'
import { asRunId } from '../domain/ids.ts'
import { tmuxSessionName } from '../domain/names.ts'
import type { Core, Watch } from './core.ts'

/** After a server's death the runs live on; only their windows are made again. */
export async function matchWindows(core: Core): Promise<void> {
  if (core.terminal.health() !== 'up') return
  const panes = await core.terminal.panes()
  const marks = new Set(panes.map(({ mark }) => mark))
  for (const watch of [...core.watched.values()])
    if (watch.run.state === 'live' && !marks.has(watch.run.id)) await openWindow(watch, core)
  for (const pane of panes)
    if (await isLeftOver(pane.mark, core)) await core.terminal.close(pane.name, pane.mark)
}

async function openWindow({ task, run }: Watch, core: Core): Promise<void> {
  const argv = core.runFiles.windowArgv(run.id)
  try {
    await core.terminal.open({
      name: tmuxSessionName(task.id),
      mark: run.id,
      argv,
      cwd: task.dir,
      size: 'viewer',
    })
  } catch (error) {
    core.log.warn('could not open a window', { task: task.id, error: messageOf(error) })
  }
}

/** An ended task's pane stays when its config says so. */
async function isLeftOver(mark: string, core: Core): Promise<boolean> {
  if ([...core.watched.values()].some(({ run }) => run.id === mark)) return false
  const run = await core.store.run(asRunId(mark))
  if (run === undefined) return true
  const task = await core.store.task(run.taskId)
  return task === undefined || task.runId !== run.id || (task.endedAt !== null && task.snapshot.closePane)
}
