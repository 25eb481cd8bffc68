// Owns the phase `verifying`: the work is checked against its contract, and what follows is stored and done.

import { moveTask } from '../../changes/move-task.ts'
import { messageOf } from '../../domain/errors.ts'
import type { TaskId } from '../../domain/names/ids.ts'
import { saw } from '../../domain/task/evidence.ts'
import type { StopOrder, Task } from '../../domain/task/task.ts'
import type { VerifyContract } from '../../domain/verify/contract.ts'
import { verifyEnv } from '../../domain/verify/environment.ts'
import { failedChecksPrompt } from '../../domain/verify/failed-checks-prompt.ts'
import { driverOf } from '../../ports/run/driver-of.ts'
import type { Change } from '../../ports/store/commits.ts'
import type { ConversationReads } from '../../ports/store/conversation.ts'
import type { RunReads } from '../../ports/store/runs.ts'
import type { Reads } from '../../ports/store/store.ts'
import type { TaskReads } from '../../ports/store/tasks.ts'
import type { Subject, Verified } from '../../ports/verifier.ts'
import { afterEnd } from '../recovering/after-end.ts'
import type { After } from '../recovering/decide-end.ts'
import { goOnWith } from '../recovering/go-on-with.ts'
import type { Core } from '../task/core.ts'
import { existingTask } from '../task/existing-task.ts'
import type { VerifyingNeeds } from './needs.ts'
import { decideVerification, type VerifyDecision } from './verify-decision.ts'

/** How often the store is asked for an order to end the task, in case its news is missed. */
const LOOK_MS = 1000
/** Pause before another try, when the disk or the store prevented a verification. */
const AGAIN_MS = 10_000

/** At the daemon's start: verifications of an earlier daemon go on, and commands of all others are ended. */
export async function resumeVerifications(core: VerifyingNeeds): Promise<void> {
  const running = await core.store.tasks({ statuses: ['running'] })
  const ids = running.filter(({ phase, nodeId }) => phase === 'verifying' && nodeId === core.store.nodeId)
  const tasks = (await Promise.all(ids.map(({ id }) => core.store.task(id)))).filter(
    (task) => task !== undefined,
  )
  await core.verifier.forgetOthers(await Promise.all(tasks.map((task) => verificationOf(task, core))))
  for (const { id } of tasks) void verifyTask(id, core)
}

/**
 * Call it after the phase is stored. It takes as long as the contract's commands, and never rejects. Calling it twice,
 * also after a crash, is the same as once: a command that is still running is waited for.
 */
export async function verifyTask(id: TaskId, core: VerifyingNeeds): Promise<void> {
  try {
    const task = await core.store.task(id)
    if (task === undefined || !isVerifying(task)) return
    await applyOutcome(task, await verified(task, core), core)
  } catch (error) {
    core.log.error(`verifying ${id} failed`, { error: messageOf(error) })
    core.clock.after(AGAIN_MS, () => void verifyTask(id, core))
  }
}

const isVerifying = ({ status, phase }: Task) => status === 'running' && phase === 'verifying'

/** The name of a task's verification: there is one for each run that ended. */
async function verificationOf(
  { id }: Pick<Task, 'id'>,
  { store }: Reads<RunReads>,
): Promise<Pick<Subject, 'whose' | 'name'>> {
  return { whose: id, name: (await store.runsOf(id)).at(-1)?.id ?? 'none' }
}

/** Undefined when the task was ordered to end meanwhile. */
async function verified(task: Task, core: VerifyingNeeds): Promise<Verified | undefined> {
  const ended = new AbortController()
  const off = whenOver(task.id, core, () => ended.abort())
  try {
    const subject = await subjectOf(task, (await verificationOf(task, core)).name, {}, core)
    return await core.verifier.verify(contractOf(task), subject, ended.signal)
  } catch (error) {
    if (ended.signal.aborted) return undefined
    throw error
  } finally {
    off()
  }
}

/** A task without a contract has no checks, so nothing can fail. */
const contractOf = ({ snapshot }: Task): VerifyContract => snapshot.verify ?? { checks: [] }

/** A task that was tidied up no longer has the environment of its creation; then the caller's is used. */
export async function subjectOf(
  task: Task,
  name: string,
  callerEnv: Readonly<Record<string, string>>,
  core: Pick<Core, 'driver' | 'handoff'>,
): Promise<Subject> {
  const own = await core.handoff.env(task)
  const { view, outputLog } = core.handoff.paths(task)
  return {
    whose: task.id,
    name,
    taskId: task.id,
    dir: task.dir,
    result: await resultOf(task, core),
    env: verifyEnv(Object.keys(own).length === 0 ? callerEnv : own, driverOf(task, core).ownEnv),
    sessionDir: view,
    outputLog,
  }
}

async function resultOf(task: Task, { handoff }: Pick<Core, 'handoff'>): Promise<string | undefined> {
  const file = await handoff.readResult(task)
  return file.kind === 'json' ? file.text : await handoff.result(task)
}

/** Calls `call` when the task is no longer to be verified. Returns what stops this. */
function whenOver(
  id: TaskId,
  core: Pick<Core, 'clock' | 'waiters'> & Reads<TaskReads>,
  call: () => void,
): () => void {
  let waits = true
  const look = async () => {
    const task = await core.store.task(id).catch(() => undefined)
    if (task !== undefined && (task.stop !== null || !isVerifying(task))) call()
  }
  const lookAgain = () => {
    if (waits) core.clock.after(LOOK_MS, () => void look().finally(lookAgain))
  }
  const off = core.waiters.on(id, () => void look())
  lookAgain()
  return () => {
    waits = false
    off()
  }
}

async function applyOutcome(
  before: Task,
  outcome: Verified | undefined,
  core: VerifyingNeeds,
): Promise<void> {
  const { id } = before
  const { whose, name } = await verificationOf(before, core)
  const after = await core.withLock(id, async () => {
    const task = await existingTask(id, core)
    if (!isVerifying(task)) return undefined
    if (task.stop !== null) return cancel(task, task.stop, core)
    if (outcome === undefined) throw new Error('the verification was stopped, but nobody ordered it')
    return conclude(task, outcome, core)
  })
  await core.verifier.forget(whose, name)
  if (after !== undefined) await afterEnd(id, after, core)
}

async function conclude(
  task: Task,
  outcome: Verified,
  core: Pick<Core, 'clock' | 'commit' | 'driver'> & Reads<ConversationReads & RunReads>,
): Promise<After> {
  const at = core.clock.now()
  const decision = decideVerification(task.verification, outcome, at)
  const after = await afterFor(decision, task, outcome, core)
  await core.commit(changeFor(decision, after, task, outcome, at))
  return after
}

async function afterFor(
  { kind }: VerifyDecision,
  task: Task,
  { checks }: Verified,
  core: Pick<Core, 'driver'> & Reads<ConversationReads & RunReads>,
): Promise<After> {
  if (kind !== 'resume') return { kind: 'end', event: kind }
  const goOn = await goOnWith(failedChecksPrompt(checks.filter(({ ok }) => !ok)), task, core)
  return { kind: 'go_on', goOn, costs: false, staggered: false }
}

function changeFor(
  decision: VerifyDecision,
  after: After,
  task: Task,
  { checks }: Verified,
  at: number,
): Change {
  const { reason, verification } = decision
  const next = after.kind === 'go_on' ? { runId: null } : { endedAt: at }
  const phase =
    after.kind === 'go_on'
      ? ({ event: 'requeued', goOn: after.goOn } as const)
      : ({ event: decision.kind === 'completed' ? 'completed' : 'failed' } as const)
  return {
    task: moveTask({
      ...phase,
      id: task.id,
      from: 'running',
      reason,
      evidence: checks.map(({ check, why }) => saw('verifier', `${check}: ${why ?? 'ok'}`)),
      at,
      set: { verification, ...next },
    }),
    event: { at, kind: 'verified', taskId: task.id, data: { verified: verification.verified, checks } },
    audit: { at, kind: `task_${phase.event}`, taskId: task.id, actor: 'holdfast', detail: reason },
  }
}

async function cancel(
  task: Task,
  { by, reason }: StopOrder,
  core: Pick<Core, 'clock' | 'commit'>,
): Promise<After> {
  const at = core.clock.now()
  await core.commit({
    task: moveTask({
      id: task.id,
      from: 'running',
      event: 'cancelled',
      reason,
      evidence: [saw('person', `ended by ${by}`)],
      at,
      set: { endedAt: at },
    }),
    audit: { at, kind: 'task_cancelled', taskId: task.id, actor: by, detail: reason },
  })
  return { kind: 'end', event: 'cancelled' }
}
