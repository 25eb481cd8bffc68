// Owns the tick's cheap question: could anything have happened that no event told us of?
import type { RunId } from '../../domain/names/ids.ts'
import type { ProcessIdentity } from '../../ports/run/processes.ts'
import type { Core, Watch } from '../task/core.ts'
import { isOverdue } from './decide.ts'
import { storedStart, workedSoFar } from './observe.ts'

/** A run's /proc is read once in so many turns. In the other turns only its pid is checked, which costs a tenth of that. */
const TURNS_PER_READ = 6

/**
 * The run's files are looked at only when this is true. `ended`: all runs with an exit record. `turn`
 * grows by one with each tick.
 */
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

/** Another process may have got the pid, or a zombie keeps it: that is checked only in some turns. */
const isThere = (start: ProcessIdentity, { processes }: Pick<Core, 'processes'>, turn: number) =>
  turn % TURNS_PER_READ === 0 ? processes.isAlive(start) : processes.isTaken(start.pid)
