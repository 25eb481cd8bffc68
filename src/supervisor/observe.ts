// Owns looking: everything a decision about a run is made from.

import type { Core, Watch } from './core.ts'
import type { Observation } from './decide.ts'

export async function observe(watch: Watch, core: Core): Promise<Observation> {
  const { runFiles, processes, clock } = core
  const mono = clock.monotonic()
  const start = storedStart(watch) ?? (await runFiles.started(watch.run.id))
  const exit = await runFiles.exit(watch.run.id)
  const isBefore = (bootId: string | undefined) => bootId !== undefined && bootId !== processes.bootId
  // A record from before the last boot tells of a shutdown.
  const otherBoot = isBefore(start?.bootId) || isBefore(exit?.bootId)
  const alive = start !== undefined && !otherBoot && processes.isAlive(start)
  watch.missingSinceMono = alive || start === undefined ? null : (watch.missingSinceMono ?? mono)
  return {
    start,
    exit,
    alive,
    otherBoot,
    missingMs: watch.missingSinceMono === null ? 0 : mono - watch.missingSinceMono,
    watchedMs: mono - watch.sinceMono,
    workedMs: workedSoFar(watch, core),
  }
}

export const workedSoFar = (watch: Watch, core: Core) => watch.task.workedMs + workedInRun(watch, core)

/** Monotonic time only counts within one boot, and not while the machine sleeps. */
export function workedInRun({ run }: Watch, { processes, clock }: Core): number {
  if (run.liveSinceMono === null || run.bootId !== processes.bootId) return 0
  return Math.max(0, Math.round(clock.monotonic() - run.liveSinceMono))
}

export const storedStart = ({ run }: Watch) =>
  run.pid !== null && run.startTicks !== null && run.bootId !== null
    ? { pid: run.pid, startTicks: run.startTicks, bootId: run.bootId }
    : undefined
