// Owns ending a run: it is interrupted; after a grace, every process that carries its marker is killed.
import type { EndsRun } from '../../delivery/lines/end-input.ts'
import type { RunId } from '../../domain/names/ids.ts'
import type { Core, Watch } from './core.ts'
import type { TaskNeeds } from './needs.ts'

/** Longest wait for killed processes to go away. Those that take longer hang in the kernel. */
const SWEEP_LIMIT_MS = 5000
const SWEEP_PAUSE_MS = 20

/** Begins to end the run and returns; the harvest follows its exit record. A second call does nothing. */
export async function endRun(watch: Watch, core: TaskNeeds): Promise<void> {
  if (watch.ending) return
  watch.ending = true
  const { pid, startTicks } = watch.run
  if (pid !== null && startTicks !== null) core.processes.signal({ pid, startTicks }, 'SIGINT')
  core.clock.after(watch.task.snapshot.killGraceMs, () => {
    if (core.watched.get(watch.task.id) !== watch) return
    sweep(watch.run.id, core)
      .then(() => core.requestLook(watch.task.id))
      .catch((error) => core.log.error('could not end a run', { run: watch.run.id, error: String(error) }))
  })
}

/** The two ways in which delivery ends this run when there is nothing more to say to it. */
export const endsRun = (watch: Watch, core: TaskNeeds & Pick<Core, 'withLock'>): EndsRun => ({
  endNow: () => endRun(watch, core),
  endAfterGrace: () => {
    core.clock.after(watch.task.snapshot.killGraceMs, () => {
      if (core.watched.get(watch.task.id) === watch)
        void core.withLock(watch.task.id, () => endRun(watch, core)).catch(() => {})
    })
  },
})

export type Swept = { readonly killed: number; readonly isClear: boolean }

/** Kills the processes that still carry the run's marker, until none is left. */
export async function sweep(
  runId: RunId,
  core: Pick<Core, 'clock' | 'findProcessesOfRun' | 'log' | 'processes'>,
): Promise<Swept> {
  const { processes, clock, log } = core
  const deadline = clock.monotonic() + SWEEP_LIMIT_MS
  const killed = new Set<number>()
  for (;;) {
    const left = await core.findProcessesOfRun(runId)
    if (left.length === 0) return { killed: killed.size, isClear: true }
    for (const process of left) if (processes.signal(process, 'SIGKILL')) killed.add(process.pid)
    if (clock.monotonic() > deadline) {
      log.warn('processes of a run do not die', { run: runId, pids: left.map(({ pid }) => pid) })
      return { killed: killed.size, isClear: false }
    }
    await clock.sleep(SWEEP_PAUSE_MS)
  }
}
