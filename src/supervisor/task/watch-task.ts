// Owns which tasks are under watch, and keeps their stored state at hand.
import type { RunId, TaskId } from '../../domain/names/ids.ts'
import { isOver } from '../../domain/run/machine.ts'
import type { Change, Committed } from '../../ports/store/commits.ts'
import type { RunReads } from '../../ports/store/runs.ts'
import type { Reads } from '../../ports/store/store.ts'
import type { TaskReads } from '../../ports/store/tasks.ts'
import type { Core, Watch } from './core.ts'
import type { TaskNeeds } from './needs.ts'
import { openWorkOf } from './open-work.ts'
import { wordsOf } from './told-in-full.ts'

/** Begins to watch a task's current run. A task that is already watched is watched anew. */
export async function watchTask(id: TaskId, runId: RunId, core: TaskNeeds): Promise<Watch> {
  const [task, run] = await Promise.all([core.store.task(id), core.store.run(runId)])
  if (task === undefined || run === undefined)
    throw new Error(`task ${id} or its run ${runId} is not in the store`)
  unwatchTask(id, core)
  const watch: Watch = {
    task,
    run,
    sinceMono: core.clock.monotonic(),
    missingSinceMono: null,
    noTerminalSinceMono: null,
    eventsHeld: false,
    ending: false,
    inputWritten: false,
    screen: null,
    copied: null,
    kept: null,
    words: wordsOf(run),
    box: null,
    openWork: openWorkOf(task, run),
    life: null,
    tokenExpires: null,
    restingLook: null,
    beats: 0,
    bridge: null,
    stopWatching: core.runFiles.watchRun(runId, () => core.requestLook(id)),
  }
  core.watched.set(id, watch)
  core.taskOfRun.set(runId, id)
  if (task.mode === 'interactive') core.watchScreens()
  return watch
}

/** The directory of a new run is made after the task is watched: what happens in it is heard of from now on. */
export function watchRunFiles(watch: Watch, core: Pick<Core, 'requestLook' | 'runFiles'>): void {
  watch.stopWatching()
  watch.stopWatching = core.runFiles.watchRun(watch.run.id, () => core.requestLook(watch.task.id))
}

function unwatchTask(id: TaskId, core: Pick<Core, 'taskOfRun' | 'watched'>): void {
  const watch = core.watched.get(id)
  if (watch === undefined) return
  watch.stopWatching()
  core.watched.delete(id)
  core.taskOfRun.delete(watch.run.id)
}

/** After a commit: the watched copies are read again, before anybody goes on with them. */
export async function updateWatchedTasks(
  { tasks }: Committed,
  change: Change,
  core: Pick<Core, 'taskOfRun' | 'watchScreens' | 'watched'> & Reads<RunReads & TaskReads>,
): Promise<void> {
  if (!changesRows(change)) return
  for (const id of tasks) {
    const watch = core.watched.get(id)
    if (watch !== undefined) await refreshWatch(watch, core)
  }
}

/** Whether a change concerns a task or a run. Inputs, questions and gates are not copied. */
const changesRows = ({ task, newRun, run, stop, restart, reading, say, daemonDied, daemonLives }: Change) =>
  [task, newRun, run, stop, restart, reading, say, daemonDied, daemonLives].some((part) => part !== undefined)

async function refreshWatch(
  watch: Watch,
  core: Pick<Core, 'taskOfRun' | 'watchScreens' | 'watched'> & Reads<RunReads & TaskReads>,
): Promise<void> {
  const [task, run] = await Promise.all([core.store.task(watch.task.id), core.store.run(watch.run.id)])
  if (task === undefined || run === undefined) return
  const hasNewPhase = task.mode === 'interactive' && task.phase !== watch.task.phase
  watch.task = task
  watch.run = run
  if (hasNewPhase) core.watchScreens()
  if (isOver(run.state) && core.watched.get(task.id) === watch) unwatchTask(task.id, core)
}

/** For a task with something to say to its agent: the screen is looked at although nothing was drawn on it. */
export function lookAtScreenToo(
  id: TaskId,
  core: Pick<Core, 'requestLook' | 'watchScreens' | 'watched'>,
): void {
  const watch = core.watched.get(id)
  if (watch !== undefined) watch.screen = null
  if (watch?.task.mode === 'interactive') core.watchScreens()
  core.requestLook(id)
}
