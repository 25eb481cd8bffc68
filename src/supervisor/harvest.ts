// Owns the end of a run: what it left is brought in, its end is stored, and the task is tidied up.
import type { Core, Watch } from './core.ts'
import type { Observation, Outcome } from './decide.ts'
import { workedInRun } from './observe.ts'
import { storeResult } from './store-result.ts'
import { tidyTask } from './tidy-task.ts'
import { refresh } from './watch-task.ts'

const STDERR_TAIL_BYTES = 2000
/** Deaths come in crowds: those of one blow are seen within this time of each other. */
const QUIET_MS = 30
const LONGEST_WAIT_MS = 500

export async function harvest(watch: Watch, outcome: Outcome, seen: Observation, core: Core): Promise<void> {
  await storeResult(watch, outcome, core)
  await recordEnd(watch, await withLastWords(outcome, watch, core), seen, core)
  await refresh(watch, core)
  core.ends.leave(watch.task.id)
  await whenQuiet(core)
  await core.alone('tidying', () => tidyTask(watch.task.id, core))
  void core.scheduleSoon()
}

/** All ends that are seen are stored before one is tidied up, unless one of them hangs. */
async function whenQuiet({ ends, clock }: Core): Promise<void> {
  const latest = clock.monotonic() + LONGEST_WAIT_MS
  do {
    await Promise.race([ends.empty(), clock.sleep(LONGEST_WAIT_MS)])
    await clock.sleep(QUIET_MS)
  } while (!ends.isEmpty && clock.monotonic() < latest)
}

async function recordEnd(watch: Watch, outcome: Outcome, seen: Observation, core: Core): Promise<void> {
  const { task, run } = watch
  const at = core.clock.now()
  const exitCode = seen.exit?.code ?? null
  const exitSignal = seen.exit?.signal ?? null
  await core.store.record({
    run: {
      id: run.id,
      from: run.state,
      event: seen.exit === undefined ? 'lost' : 'exited',
      set: { endedAt: at, exitCode, exitSignal, ...(seen.start ?? {}) },
    },
    task: {
      id: task.id,
      from: task.status,
      event: outcome.event,
      reason: outcome.reason,
      evidence: outcome.evidence,
      at,
      set: { endedAt: at, exitCode, exitSignal, workedMs: task.workedMs + workedInRun(watch, core) },
    },
    audit: {
      at,
      kind: `task_${outcome.event}`,
      taskId: task.id,
      actor: task.stop?.by ?? 'holdfast',
      detail: outcome.reason,
    },
  })
}

/** A crash is told with what it said last on stderr. */
async function withLastWords(outcome: Outcome, watch: Watch, core: Core): Promise<Outcome> {
  if (outcome.event !== 'failed' || watch.run.result !== null) return outcome
  const lines = (await core.runFiles.stderrTail(watch.run.id, STDERR_TAIL_BYTES)).trim().split('\n')
  const last = lines.at(-1)?.trim() ?? ''
  return last === '' ? outcome : { ...outcome, reason: `${outcome.reason}: ${last.slice(0, 300)}` }
}
