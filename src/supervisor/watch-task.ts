// Owns which tasks are under watch, and keeps their stored state at hand.
import type { RunId, TaskId } from '../domain/ids.ts'
import { isOver } from '../domain/run-machine.ts'
import type { Core, Watch } from './core.ts'
import { openWorkOf } from './open-work.ts'

/** Begins to watch a task's current run. Watching it already is fine. */
export async function watchTask(id: TaskId, runId: RunId, core: Core): Promise<Watch> {
  const [task, run] = await Promise.all([core.store.task(id), core.store.run(runId)])
  if (task === undefined || run === undefined)
    throw new Error(`task ${id} or its run ${runId} is not in the store`)
  unwatchTask(id, core)
  const watch: Watch = {
    task,
    run,
    sinceMono: core.clock.monotonic(),
    missingSinceMono: null,
    eventsHeld: false,
    ending: false,
    inputWritten: false,
    screen: null,
    openWork: openWorkOf(task, run),
    life: null,
    beats: 0,
    stopWatching: core.runFiles.watchRun(runId, () => core.poke(id)),
  }
  core.watched.set(id, watch)
  core.taskOfRun.set(runId, id)
  if (task.mode === 'interactive') core.watchScreens()
  return watch
}

export function unwatchTask(id: TaskId, core: Core): void {
  const watch = core.watched.get(id)
  if (watch === undefined) return
  watch.stopWatching()
  core.watched.delete(id)
  core.taskOfRun.delete(watch.run.id)
}

/** After a change was stored: the copy at hand follows, and those who wait hear of it. */
export async function refresh(watch: Watch, core: Core): Promise<void> {
  const [task, run] = await Promise.all([core.store.task(watch.task.id), core.store.run(watch.run.id)])
  const hasTurned = task!.mode === 'interactive' && task!.phase !== watch.task.phase
  watch.task = task!
  watch.run = run!
  if (hasTurned) core.watchScreens()
  if (isOver(watch.run.state)) unwatchTask(watch.task.id, core)
  core.bell.ring(watch.task.id)
  core.bell.ring('all')
}

/** There is something to say: its screen is looked at although nothing was drawn on it. */
export function lookAgain(id: TaskId, core: Core): void {
  const watch = core.watched.get(id)
  if (watch !== undefined) watch.screen = null
  if (watch?.task.mode === 'interactive') core.watchScreens()
  core.poke(id)
}
