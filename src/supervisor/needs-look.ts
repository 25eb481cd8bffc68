// Owns the tick's cheap question: could anything have happened that no event told us of?
import type { RunId } from '../domain/ids.ts'
import type { Core, Watch } from './core.ts'
import { isOverdue } from './decide.ts'
import { storedStart, workedSoFar } from './observe.ts'

/** One read of /proc for each run; files are looked at only where this says so. `ended` are all runs with an exit record. */
export function needsLook(watch: Watch, ended: ReadonlySet<RunId>, core: Core): boolean {
  const { task, run } = watch
  const start = storedStart(watch)
  if (run.state !== 'live' || start === undefined || ended.has(run.id)) return true
  if (core.runFiles.isHeld(run.id)) return true
  if (task.stop !== null && !watch.ending) return true
  return isOverdue(task, workedSoFar(watch, core)) || !core.processes.isAlive(start)
}
