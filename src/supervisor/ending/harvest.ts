// Owns the end of a run: what it left is collected, the recovery rules decide what follows, and the decision is stored and carried out.
import { saw } from '../../domain/task/evidence.ts'
import type { Run } from '../../domain/task/run.ts'
import type { Task } from '../../domain/task/task.ts'
import type { Change } from '../../ports/store/commits.ts'
import { afterEnd } from '../recovering/after-end.ts'
import { decideEnd, type EndFacts, type Verdict } from '../recovering/decide-end.ts'
import { verdictChange } from '../recovering/verdict-change.ts'
import type { Core, Watch } from '../task/core.ts'
import { sweep } from '../task/end-run.ts'
import { verifyTask } from '../verifying/verify-task.ts'
import type { Observation } from '../watching/decide.ts'
import { endOf, startOf, workedInRun } from '../watching/observe.ts'
import { endFacts } from './end-facts.ts'
import type { EndingNeeds } from './needs.ts'
import { markEnd } from './run-marks.ts'
import { storeResult } from './store-result.ts'

export async function harvest(watch: Watch, seen: Observation, core: EndingNeeds): Promise<void> {
  const facts = await endFacts(watch, seen, core)
  await concludeRun(watch, decideEnd(facts), core, { facts, seen })
}

type Ended = { readonly facts: EndFacts; readonly seen: Observation }

/** Stores and does what follows a run that is over, or that never began. */
export async function concludeRun(
  watch: Watch,
  verdict: Verdict,
  core: EndingNeeds,
  ended?: Ended,
): Promise<void> {
  await storeResult(watch, verdict, core)
  await core.commit(await changeFor(watch, verdict, ended, core))
  core.endsInFlight.leave(watch.task.id)
  if (verdict.after.kind !== 'end') await clearAway(watch, core)
  await afterEnd(watch.task.id, verdict.after, core)
  if (verdict.after.kind === 'verify') void verifyTask(watch.task.id, core)
}

/** Sweeps the run now, not at the task's next launch: runs that died together share one look at all processes here. */
async function clearAway(
  { run }: Watch,
  core: Pick<Core, 'clock' | 'findProcessesOfRun' | 'log' | 'processes' | 'swept'>,
): Promise<void> {
  if ((await sweep(run.id, core)).isClear) core.swept.add(run.id)
}

async function changeFor(
  watch: Watch,
  verdict: Verdict,
  ended: Ended | undefined,
  core: EndingNeeds,
): Promise<Change> {
  const { task, run } = watch
  const { facts, seen } = ended ?? {}
  const exit = { exitCode: seen?.exit?.code ?? null, exitSignal: seen?.exit?.signal ?? null }
  const workedMs = task.workedMs + workedInRun(watch, core, seen?.exit)
  const set = { ...exit, workedMs, restart: null, ...lostSession(facts), ...otherMode(task) }
  const endedAt = endOf(run, seen?.exit, core.clock.now())
  return {
    ...(await verdictChange(watch, verdict, facts, set, core)),
    ...(verdict.rule === 'runtime_given_up' ? { deferWaiting: notStarted(task, verdict, core) } : {}),
    run: {
      id: run.id,
      from: run.state,
      event: seen?.exit === undefined ? 'lost' : 'exited',
      set: {
        endedAt,
        ...(await unseenStart(run, seen, endedAt, core)),
        ...exit,
        ...(seen?.start ?? {}),
        failure: facts?.failure ?? null,
        ...(ended === undefined ? {} : { outputLength: await markEnd(task, run, verdict, core) }),
      },
    },
  }
}

/** An agent that has ended before it was seen at work has begun all the same. */
async function unseenStart(
  run: Run,
  seen: Observation | undefined,
  endedAt: number,
  core: Pick<Core, 'runFiles'>,
): Promise<{ startedAt?: number }> {
  if (run.startedAt !== null || seen?.start === undefined) return {}
  const startedAt = await startOf(run, endedAt, core)
  return startedAt === undefined ? {} : { startedAt }
}

/** Whoever waits for a prompt to this runtime learns that it waits for a person. */
const notStarted = ({ id }: Task, { reason }: Verdict, { clock }: Pick<Core, 'clock'>) => ({
  taskId: id,
  at: clock.now(),
  code: 'SPAWN_FAILED' as const,
  evidence: [saw('store', reason)],
})

/** The session id is forgotten when the agent does not know that session. */
const lostSession = (facts: EndFacts | undefined) => (facts?.sessionIsLost ? { sessionId: null } : {})

const otherMode = ({ restart }: Task) => (restart?.mode ? { mode: restart.mode } : {})
