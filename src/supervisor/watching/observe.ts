// Owns observing a run: gathers everything on which a decision about it depends.

import type { Run } from '../../domain/task/run.ts'
import type { ExitRecord } from '../../ports/run/run-files.ts'
import type { Core, Watch } from '../task/core.ts'
import type { Observation } from './decide.ts'

export async function observe(
  watch: Watch,
  core: Pick<Core, 'clock' | 'processes' | 'runFiles'>,
): Promise<Observation> {
  const { runFiles, processes, clock } = core
  const mono = clock.monotonic()
  const start = storedStart(watch) ?? (await runFiles.started(watch.run.id))
  const exit = await runFiles.exit(watch.run.id)
  const isBefore = (bootId: string | undefined) => bootId !== undefined && bootId !== processes.bootId
  // An exit record from before the last boot tells of a shutdown.
  const otherBoot = isBefore(start?.bootId) || isBefore(exit?.bootId)
  const alive = start !== undefined && !otherBoot && processes.isAlive(start)
  if (alive || start === undefined) watch.missingSinceMono = null
  else if (exit === undefined && !(await runFiles.canRecordExit())) watch.missingSinceMono = mono
  else watch.missingSinceMono ??= mono
  return {
    start,
    exit,
    alive,
    otherBoot,
    missingMs: watch.missingSinceMono === null ? 0 : mono - watch.missingSinceMono,
    watchedMs: mono - watch.sinceMono,
    workedMs: workedSoFar(watch, core, exit),
  }
}

type Exit = Pick<ExitRecord, 'atMs'> | undefined

export const workedSoFar = (watch: Watch, core: Pick<Core, 'clock' | 'processes'>, exit?: Exit) =>
  watch.task.workedMs + workedInRun(watch, core, exit)

/**
 * Ms that this run has worked. Monotonic time counts only within one boot, and not while the machine sleeps. The time
 * from the run's end until we saw it does not count.
 */
export function workedInRun(
  { run }: Watch,
  { processes, clock }: Pick<Core, 'clock' | 'processes'>,
  exit?: Exit,
): number {
  if (run.liveSinceMono === null || run.bootId !== processes.bootId) return 0
  const since = clock.monotonic() - run.liveSinceMono
  const over = clock.now() - endOf(run, exit, clock.now())
  return Math.max(0, Math.round(since - over))
}

/** Epoch ms of a run's end, as its exit record says, but not before its creation or after now; without a record, now. */
export const endOf = ({ createdAt }: Pick<Run, 'createdAt'>, exit: Exit, now: number) =>
  exit === undefined ? now : Math.min(now, Math.max(createdAt, exit.atMs))

/**
 * Epoch ms at which the agent's process began, however much later that is seen; not before the run's creation or after
 * `last`. Undefined when it is not known.
 */
export async function startOf(
  { id, createdAt }: Pick<Run, 'id' | 'createdAt'>,
  last: number,
  { runFiles }: Pick<Core, 'runFiles'>,
): Promise<number | undefined> {
  const at = await runFiles.startedAt(id)
  return at === undefined ? undefined : Math.max(createdAt, Math.min(last, at))
}

export const storedStart = ({ run }: Watch) =>
  run.pid !== null && run.startTicks !== null && run.bootId !== null
    ? { pid: run.pid, startTicks: run.startTicks, bootId: run.bootId }
    : undefined
