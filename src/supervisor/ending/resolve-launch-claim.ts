// Owns finding out whether a launch happened. The claim decides: the daemon or the shim, whichever makes it first.

import { moveTask } from '../../changes/move-task.ts'
import { HOLDFAST_ASKS } from '../../domain/conversation/holdfast-question.ts'
import { isHoldfastError, messageOf } from '../../domain/errors.ts'
import { saw } from '../../domain/task/evidence.ts'
import type { GoOn } from '../../domain/task/go-on.ts'
import type { Run } from '../../domain/task/run.ts'
import type { StopOrder, Task } from '../../domain/task/task.ts'
import type { AuditEntry } from '../../ports/store/audit.ts'
import type { RunReads } from '../../ports/store/runs.ts'
import type { Reads } from '../../ports/store/store.ts'
import type { After } from '../recovering/decide-end.ts'
import type { Core, Watch } from '../task/core.ts'
import { tidyTask } from '../task/tidy-task.ts'
import { concludeRun } from './harvest.ts'
import type { EndingNeeds } from './needs.ts'

/** The reason of a void launch when nothing explains why the shim made no claim. */
export const NO_PROCESS = 'no process appeared'
/** After so many launches in a row that did not happen, a person is asked instead of trying for ever. */
const MOST_VOID = 3

/**
 * If the daemon gets the claim, the run is void and the task goes back to the queue, for a run with a new id. If the shim
 * has it, the run is adopted once its process is seen.
 */
export async function resolveLaunchClaim(watch: Watch, why: string, core: EndingNeeds): Promise<void> {
  const { runFiles } = core
  const never = (await runFiles.claim(watch.run.id)) || (await claimedButNeverStarted(watch, core))
  if (!never) core.requestLook(watch.task.id)
  else if (await isInVain(watch, why, core)) await askAboutLaunch(watch, why, core)
  else await requeue(watch, why, core)
}

/** True when the shim made its claim long ago and no process appeared: it died in between. Its start is voided too, so that it cannot start later. */
async function claimedButNeverStarted(
  watch: Watch,
  core: Pick<Core, 'clock' | 'config' | 'runFiles'>,
): Promise<boolean> {
  const waitedMs = core.clock.monotonic() - watch.sinceMono
  if (waitedMs < core.config['launch.grace']) return false
  return core.runFiles.voidStart(watch.run.id)
}

/** True when this launch and the ones before it did not happen, MOST_VOID in a row. */
async function isInVain({ task, run }: Watch, why: string, core: Reads<RunReads>): Promise<boolean> {
  if (why !== NO_PROCESS || task.stop !== null) return false
  const earlier = (await core.store.runsOf(task.id)).filter(({ id }) => id !== run.id)
  return earlier.slice(1 - MOST_VOID).filter(({ state }) => state === 'void').length === MOST_VOID - 1
}

async function askAboutLaunch(
  { task, run }: Watch,
  why: string,
  core: Pick<Core, 'clock' | 'commit'>,
): Promise<void> {
  const at = core.clock.now()
  const reason = `${MOST_VOID} launches in a row did not happen: ${why}`
  await core.commit({
    run: { id: run.id, from: 'launching', event: 'voided', set: { endedAt: at } },
    task: moveTask({
      event: 'question_asked',
      id: task.id,
      from: 'running',
      reason,
      evidence: [saw('store', `run ${run.id} has not started, and cannot start any more`)],
      at,
      set: { runId: null },
    }),
    question: {
      taskId: task.id,
      runId: run.id,
      text: `Its agent could not be started: ${reason}. Resume to try again, or close?`,
      options: ['resume', 'close'],
      ref: HOLDFAST_ASKS,
      askedAt: at,
    },
    event: { at, kind: 'escalation', taskId: task.id, data: { reason } },
    audit: { at, kind: 'task_question_asked', taskId: task.id, actor: 'holdfast', detail: reason },
  })
}

async function requeue(watch: Watch, why: string, core: EndingNeeds): Promise<void> {
  const { task, run } = watch
  const at = core.clock.now()
  const stopped = task.stop
  await core.commit({
    run: { id: run.id, from: 'launching', event: 'voided', set: { endedAt: at } },
    task: moveTask({
      ...(stopped === null ? { event: 'requeued', goOn: goOnOf(run) } : { event: 'cancelled' }),
      id: task.id,
      from: 'running',
      reason: stopped === null ? `launch ${run.number} did not happen: ${why}` : stopped.reason,
      evidence: [saw('store', `run ${run.id} has not started, and cannot start any more`)],
      at,
      set: { runId: null, ...(stopped === null ? {} : { endedAt: at }) },
    }),
    ...(stopped === null ? {} : { audit: cancelledBy(stopped, task, at) }),
  })
  if (stopped !== null) await tidyTask(task.id, core)
}

/** The next run begins in the way in which this run was to begin. */
const goOnOf = ({ how, told }: Run): GoOn | null => (how === 'start' ? null : { how, say: told })

const cancelledBy = ({ by, reason }: StopOrder, { id }: Task, at: number): AuditEntry => ({
  at,
  kind: 'task_cancelled',
  taskId: id,
  actor: by,
  detail: reason,
})

/**
 * For a launch that can never work, for example because the working directory is gone. Nothing was started; the task fails.
 * For a runtime a person is asked.
 */
export async function failLaunch(watch: Watch, error: unknown, core: EndingNeeds): Promise<void> {
  if (!(await core.runFiles.claim(watch.run.id))) return core.requestLook(watch.task.id)
  const reason = isHoldfastError(error) ? `${error.message} (${error.code})` : messageOf(error)
  const evidence = [saw('store', 'its agent was not started, so nothing was done in this try')]
  await concludeRun(
    watch,
    { rule: 'launch_failed', after: afterFailedLaunch(watch.task, reason), reason, evidence },
    core,
  )
}

const afterFailedLaunch = ({ snapshot }: Task, reason: string): After =>
  snapshot.standing === true
    ? {
        kind: 'ask',
        event: 'escalated',
        question: `This runtime cannot be started: ${reason}. Resume when that is put right, or close?`,
        options: ['resume', 'close'],
      }
    : { kind: 'end', event: 'failed' }
