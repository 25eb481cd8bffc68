// Owns a person's decision about a task that does not go on by itself: resume it, start it over, or close it.

import { moveTask } from '../../changes/move-task.ts'
import { tryCommit } from '../../changes/try-commit.ts'
import { hearsBy } from '../../delivery/inputs/hearing.ts'
import { isAboutKeptBack, isOwnQuestion } from '../../domain/conversation/holdfast-question.ts'
import { HoldfastError, type WayOut, waysOut } from '../../domain/errors.ts'
import type { TaskId } from '../../domain/names/ids.ts'
import { saw } from '../../domain/task/evidence.ts'
import {
  CONTINUATION,
  CONTINUATION_AFTER_COMPLETION,
  CONTINUATION_AFTER_FAILURE,
  CONTINUATION_AFTER_STOP,
  type GoOn,
} from '../../domain/task/go-on.ts'
import { isEnded } from '../../domain/task/machine.ts'
import { isTimed } from '../../domain/task/state.ts'
import type { Task } from '../../domain/task/task.ts'
import { driverOf } from '../../ports/run/driver-of.ts'
import type { AuditEntry } from '../../ports/store/audit.ts'
import type { Change } from '../../ports/store/commits.ts'
import type { ConversationReads } from '../../ports/store/conversation.ts'
import type { RunReads } from '../../ports/store/runs.ts'
import type { Reads } from '../../ports/store/store.ts'
import type { TaskMove } from '../../ports/store/tasks.ts'
import type { PersonChoice } from '../recovering/decide-end.ts'
import { beginAnew, canResume, goOnAfter, wordsNotTaken } from '../recovering/go-on-after.ts'
import type { Core, Watch } from '../task/core.ts'
import { existingTask } from '../task/existing-task.ts'
import { isQuarantined } from '../watching/quarantine.ts'
import { forgetFinish } from './finish-task.ts'
import { orderEnd } from './kill-task.ts'
import type { OrdersNeeds } from './needs.ts'

export type PersonDecision = {
  readonly choice: PersonChoice
  readonly by: string
  /** The number of Holdfast's question that it answers; undefined for an order. */
  readonly question?: number
  /** What the agent is told instead of the usual continuation. */
  readonly prompt?: string
  /** The caller's environment, for an ended task that is brought back: the task's own is deleted. */
  readonly env?: Readonly<Record<string, string>>
  /** Stored together with the decision. */
  readonly along?: Pick<Change, 'requestKey' | 'effectOf'>
}

export async function personDecides(id: TaskId, decision: PersonDecision, core: OrdersNeeds): Promise<Task> {
  await core.withLock(id, () => applyDecision(id, decision, core))
  await core.whenScheduled()
  await core.taskFiles.whenWritten(id)
  return await existingTask(id, core)
}

async function applyDecision(id: TaskId, decision: PersonDecision, core: OrdersNeeds): Promise<void> {
  const task = await existingTask(id, core)
  await checkIsFirst(task, decision, core)
  const watch = core.watched.get(id)
  if (watch !== undefined && isQuarantined(watch.run)) return leaveBehind(watch, decision, core)
  if (decision.choice === 'close') return close(task, decision, core)
  if (isEnded(task.status)) return reopen(task, decision, core)
  if (core.watched.has(id)) return toLiveRun(task, decision, core)
  if (task.status === 'pending') throw goesOnAlready(task, decision, core)
  await storeMove(task, 'requeued', decision, {}, core)
}

/** Of several answers to one question, the first counts. */
async function checkIsFirst(
  { id }: Task,
  { question }: PersonDecision,
  { store }: Reads<ConversationReads>,
): Promise<void> {
  if (question === undefined) return
  const asked = (await store.openQuestions(id)).find(({ number }) => number === question)
  if (asked === undefined || asked.answer !== null) throw alreadyAnswered(id, question)
}

export const alreadyAnswered = (id: TaskId, question: number) =>
  new HoldfastError('ALREADY_ANSWERED', `Question ${question} of ${id} is answered already.`)

async function close(task: Task, decision: PersonDecision, core: OrdersNeeds): Promise<void> {
  const { id, status } = task
  const { by, along } = decision
  if (isEnded(status)) throw new HoldfastError('TASK_NOT_ACTIVE', `Session ${id} has ended.`)
  const answer = await answered(task, decision, core.clock.now(), core)
  await orderEnd(id, { by, reason: `closed by ${by}` }, core, { ...along, ...answer })
}

/** A quarantined run is not read or spoken to. Its end is ordered; then the task goes on with a new run, or ends. */
async function leaveBehind(
  watch: Watch,
  decision: PersonDecision,
  core: Pick<Core, 'clock' | 'commit' | 'driver'> & Reads<ConversationReads & RunReads>,
): Promise<void> {
  const { task } = watch
  const { by, choice } = decision
  const at = core.clock.now()
  const order = { by, reason: `${choice} by ${by}`, at }
  const row = recorded(task, decision, at)
  const ordered =
    choice === 'close'
      ? { stop: { id: task.id, order: { kind: 'kill', ...order } as const } }
      : {
          restart: {
            id: task.id,
            order: { kind: choice, ...order, goOn: await goOnBy(task, decision, core), mode: null },
          },
        }
  const change = { ...ordered, ...(await answered(task, decision, at, core)), ...row }
  if ((await tryCommit(change, core)) === undefined) throw isBeingEnded(task)
}

async function reopen(task: Task, decision: PersonDecision, core: OrdersNeeds): Promise<void> {
  if (decision.env === undefined) throw endedWithoutEnvironment(task, decision)
  await core.commit({ tidied: { id: task.id, isTidied: false } })
  await forgetFinish(task, core)
  await core.handoff.reopen(task, decision.env)
  const none = { endedAt: null, exitCode: null, exitSignal: null, stop: null, verification: null }
  // Working time is counted from zero: a task that had used up its time would be ended at once.
  const anew = { ...none, workedMs: 0 }
  await storeMove(task, 'reopened', decision, anew, core)
}

/**
 * For a task whose run lives. A run that a person stopped, or that waits for a time, is only told to go on. A run that is
 * stuck, or that cannot be told anything, is ended and a new run follows.
 */
async function toLiveRun(
  task: Task,
  decision: PersonDecision,
  core: Pick<Core, 'clock' | 'commit' | 'driver'> & Reads<ConversationReads & RunReads>,
): Promise<void> {
  const { by, choice, prompt } = decision
  const { phase } = task
  const isKeptBack = (await core.store.openQuestions(task.id)).some(isAboutKeptBack)
  if (choice !== 'close' && mustEndFirst(task, core)) {
    const goOn = choice === 'resume' && phase === 'stuck' ? null : await goOnBy(task, decision, core)
    return restart(task, { ...decision, choice }, goOn, core)
  }
  if (isKeptBack && choice === 'resume') return restart(task, { ...decision, choice }, null, core)
  const isStopped = phase === 'stopped_by_person'
  if (!(isStopped || isTimed(task)) || choice === 'retry') throw goesOnAlready(task, decision, core)
  const at = core.clock.now()
  await core.commit({
    task: moveTask({ ...move(task, by, at), event: 'prompt_waits', set: { retries: 0 } }),
    input: { taskId: task.id, kind: 'continuation', text: prompt ?? wordsForLiveRun(task), by, at },
    ...(await answered(task, decision, at, core)),
    ...recorded(task, decision, at),
  })
}

/** It is stuck, or asks and cannot be told anything while it lives. */
const mustEndFirst = (task: Task, core: Pick<Core, 'driver'>) =>
  task.phase === 'stuck' || (task.phase === 'asking' && hearsBy(task, driverOf(task, core)) === 'nothing')

/** What a living run is told. The usual continuation would be wrong: it says that the process had ended. */
const wordsForLiveRun = (task: Task) =>
  isTimed(task) ? (task.goOn.say ?? CONTINUATION_AFTER_FAILURE) : CONTINUATION_AFTER_STOP

/** Orders the end of a run that is stuck or cannot be told anything; the task then goes on in a new run. */
async function restart(
  task: Task,
  decision: PersonDecision & { readonly choice: 'resume' | 'retry' },
  goOn: GoOn | null,
  core: Pick<Core, 'clock' | 'commit'> & Reads<ConversationReads>,
): Promise<void> {
  const { choice, by } = decision
  const at = core.clock.now()
  const order = { kind: choice, by, reason: `brought back by ${by}`, at, goOn, mode: null } as const
  const change = {
    restart: { id: task.id, order },
    ...(await answered(task, decision, at, core)),
    ...recorded(task, decision, at),
  }
  if ((await tryCommit(change, core)) === undefined) throw isBeingEnded(task)
}

const isBeingEnded = ({ id }: Task) =>
  new HoldfastError('TASK_ACTIVE', `Session ${id} is being ended already; look at it again in a moment.`)

async function storeMove(
  task: Task,
  event: 'requeued' | 'reopened',
  decision: PersonDecision,
  set: TaskMove['set'],
  core: Pick<Core, 'clock' | 'commit' | 'driver'> & Reads<ConversationReads & RunReads>,
): Promise<void> {
  const { by } = decision
  const at = core.clock.now()
  const goOn = await goOnBy(task, decision, core)
  const session = goOn.how === 'resume' ? {} : { sessionId: null }
  await core.commit({
    task: moveTask({
      ...move(task, by, at),
      event,
      goOn,
      set: { ...set, ...session, retries: 0, restart: null, runId: null },
    }),
    ...(await answered(task, decision, at, core)),
    ...recorded(task, decision, at),
  })
}

/** One that had finished was not interrupted. */
const continuationOf = ({ status }: Task) =>
  status === 'completed' ? CONTINUATION_AFTER_COMPLETION : CONTINUATION

/** How the next run begins. A retry does not go on in the old session. */
async function goOnBy(
  task: Task,
  { choice, prompt }: PersonDecision,
  core: Pick<Core, 'driver'> & Reads<ConversationReads & RunReads>,
  hasAsked = task.phase === 'asking',
): Promise<GoOn> {
  const [runs, inputs] = await Promise.all([core.store.runsOf(task.id), core.store.inputs(task.id)])
  const between = { task, runs, inputs, driver: driverOf(task, core), sessionIsLost: false, hasAsked }
  if (choice === 'resume' && canResume(between)) {
    // A runtime whose last turn was over is told nothing: it waits.
    const usual = task.snapshot.standing === true ? goOnAfter(between).say : continuationOf(task)
    const words = [wordsNotTaken(between), prompt].filter((one) => one != null)
    return { how: 'resume', say: words.length === 0 ? usual : words.join('\n') }
  }
  const anew = beginAnew(between, choice === 'retry' ? 'asked' : 'lost')
  if (prompt === undefined) return anew
  return { ...anew, say: anew.say === null ? prompt : `${anew.say}\n${prompt}` }
}

const move = ({ id, status }: Task, by: string, at: number) => ({
  id,
  from: status,
  reason: `brought back by ${by}`,
  evidence: [saw('person', by)],
  at,
})

/** What is written down of a decision beside what follows from it. */
function recorded({ id }: Task, { choice, by, along }: PersonDecision, at: number) {
  const audit: AuditEntry = { at, kind: `task_${choice}`, taskId: id, actor: by, detail: choice }
  return { audit, ...along }
}

/** If Holdfast itself had asked about the task, the person's choice is stored as the answer. */
async function answered(
  { id: taskId }: Task,
  { choice: answer, by, question }: PersonDecision,
  at: number,
  { store: { openQuestions } }: Reads<ConversationReads>,
): Promise<Pick<Change, 'answered'>> {
  const number = question ?? (await openQuestions(taskId)).find(isOwnQuestion)?.number
  return number === undefined ? {} : { answered: { taskId, number, answer, by, at } }
}

const NOT_DONE = { resume: 'resumed', retry: 'started over', close: 'closed' } as const

/** The session may have ended after the order was given, or the order was given on another machine: then it brings no environment. */
const endedWithoutEnvironment = ({ id }: Task, { choice }: PersonDecision) =>
  new HoldfastError(
    'TASK_NOT_ACTIVE',
    `Session ${id} was not ${NOT_DONE[choice]}: it has ended, and this order came without the environment that an ended session needs.`,
    { waysOut: choice === 'close' ? [] : waysOut(id, choice) },
  )

const goesOnAlready = (task: Task, { choice }: PersonDecision, core: Pick<Core, 'driver'>) => {
  const { id, status, phase, runtime } = task
  // Kills are refused for runtimes.
  const ends = runtime === null ? (['kill'] as const) : []
  return new HoldfastError(
    'TASK_ACTIVE',
    `Session ${id} was not ${NOT_DONE[choice]}: it is not stopped (${status}${phase ? `, ${phase}` : ''}).`,
    { waysOut: waysOut(id, ...waysToSpeak(task, core), ...ends) },
  )
}

function waysToSpeak(task: Task, core: Pick<Core, 'driver'>): WayOut['do'][] {
  if (task.phase === 'asking') return ['answer']
  return hearsBy(task, driverOf(task, core)) === 'nothing' ? [] : ['send']
}
