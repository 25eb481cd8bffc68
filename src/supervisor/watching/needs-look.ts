// Owns the tick's cheap question: could anything have happened that no event told us of?
import type { RunId } from '../../domain/names/ids.ts'
import type { ProcessIdentity } from '../../ports/processes.ts'
import type { Core, Watch } from '../task/core.ts'
import { isOverdue } from './decide.ts'
import { storedStart, workedSoFar } from './observe.ts'

/** Between two reads of a run's /proc. In the others only its pid is asked for, which costs a tenth of it. */
const TURNS_PER_READ = 6

/** Files are looked at only where this says so. `ended` are all runs with an exit record; turns count on from call to call. */
export function needsLook(
  watch: Watch,
  ended: ReadonlySet<RunId>,
  core: Pick<Core, 'clock' | 'processes' | 'runFiles'>,
  turn: number,
): boolean {
  const { task, run } = watch
  const start = storedStart(watch)
  if (run.state !== 'live' || start === undefined || ended.has(run.id)) return true
  if (core.runFiles.isHeld(run.id)) return true
  if (task.stop !== null && !watch.ending) return true
  return isOverdue(task, workedSoFar(watch, core)) || !isThere(start, core, turn)
}

/** Somebody else may have got the pid, or a zombie keeps it: closer looks take turns. */
const isThere = (start: ProcessIdentity, { processes }: Pick<Core, 'processes'>, turn: number) =>
  turn % TURNS_PER_READ === 0 ? processes.isAlive(start) : processes.isTaken(start.pid)
