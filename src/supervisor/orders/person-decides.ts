// Owns a person's word on a task that does not go on by itself: resume it, begin anew, or close it.

import { moveTask } from '../../changes/move-task.ts'
import { tryCommit } from '../../changes/try-commit.ts'
import { hearsBy } from '../../delivery/inputs/hearing.ts'
import { isAboutKeptBack, isOwnQuestion } from '../../domain/conversation/holdfast-question.ts'
import { HoldfastError } from '../../domain/errors.ts'
import type { TaskId } from '../../domain/names/ids.ts'
import { saw } from '../../domain/task/evidence.ts'
import {
  CONTINUATION,
  CONTINUATION_AFTER_FAILURE,
  CONTINUATION_AFTER_STOP,
  type GoOn,
} from '../../domain/task/go-on.ts'
import { isEnded } from '../../domain/task/machine.ts'
import { isTimed } from '../../domain/task/state.ts'
import type { Task } from '../../domain/task/task.ts'
import { driverOf } from '../../ports/driver-of.ts'
import type { ConversationReads, Reads, RunReads } from '../../ports/store.ts'
import type { AuditEntry, Change, TaskMove } from '../../ports/store-changes.ts'
import type { PersonChoice } from '../recovering/decide-end.ts'
import { beginAnew, canResume, goOnAfter } from '../recovering/go-on-after.ts'
import type { Core, Watch } from '../task/core.ts'
import { existingTask } from '../task/existing-task.ts'
import { isQuarantined } from '../watching/quarantine.ts'
import { forgetFinish } from './finish-task.ts'
import { orderEnd } from './kill-task.ts'
import type { OrdersNeeds } from './needs.ts'

export type PersonsWord = {
  readonly choice: PersonChoice
  readonly by: string
  /** Said instead of the usual words. */
  readonly prompt?: string
  /** An ended task's environment is gone: it goes on in that of who brings it back. */
  readonly env?: Readonly<Record<string, string>>
}

export async function personDecides(id: TaskId, word: PersonsWord, core: OrdersNeeds): Promise<Task> {
  await core.withLock(id, () => carryOut(id, word, core))
  await core.whenScheduled()
  await core.taskFiles.whenWritten(id)
  return await existingTask(id, core)
}

async function carryOut(id: TaskId, word: PersonsWord, core: OrdersNeeds): Promise<void> {
  const task = await existingTask(id, core)
  const watch = core.watched.get(id)
  if (watch !== undefined && isQuarantined(watch.run)) return leaveBehind(watch, word, core)
  if (word.choice === 'close') return close(task, word, core)
  if (isEnded(task.status)) return reopen(task, word, core)
  if (core.watched.has(id)) return toLiveRun(task, word, core)
  if (task.status === 'pending') throw goesOnAlready(task)
  await store(task, 'requeued', word, {}, core)
}

async function close({ id, status }: Task, { by }: PersonsWord, core: OrdersNeeds): Promise<void> {
  if (isEnded(status)) throw new HoldfastError('TASK_NOT_ACTIVE', `Session ${id} has ended.`)
  await orderEnd(id, { by, reason: `closed by ${by}` }, core)
}

/** A quarantined run is not spoken to: it is ended, unread. Then the task goes on without it, or ends. */
async function leaveBehind(
  watch: Watch,
  word: PersonsWord,
  core: Pick<Core, 'clock' | 'commit' | 'driver'> & Reads<ConversationReads & RunReads>,
): Promise<void> {
  const { task } = watch
  const { by, choice } = word
  const at = core.clock.now()
  const order = { by, reason: `${choice} by ${by}`, at }
  const row = audit(task, choice, by, at)
  const ordered =
    choice === 'close'
      ? { stop: { id: task.id, order: { kind: 'kill', ...order } as const } }
      : {
          restart: {
            id: task.id,
            order: { kind: choice, ...order, goOn: await goOnBy(task, word, core), mode: null },
          },
        }
  await tryCommit({ ...ordered, ...(await answered(task, choice, by, at, core)), audit: row }, core)
}

async function reopen(task: Task, word: PersonsWord, core: OrdersNeeds): Promise<void> {
  if (word.env === undefined) throw new HoldfastError('TASK_NOT_ACTIVE', `Session ${task.id} has just ended.`)
  await core.commit({ tidied: { id: task.id, isTidied: false } })
  await forgetFinish(task, core)
  await core.handoff.reopen(task, word.env)
  const none = { endedAt: null, exitCode: null, exitSignal: null, stop: null, verification: null }
  // Its working time counts anew, or one that ran out of it would be ended at once.
  const anew = { ...none, workedMs: 0 }
  await store(task, 'reopened', word, anew, core)
}

/** Its run lives: it was interrupted in its terminal, or waits for a limit. It is only told to go on. One that cannot be told gets a new run. */
async function toLiveRun(
  task: Task,
  word: PersonsWord,
  core: Pick<Core, 'clock' | 'commit' | 'driver'> & Reads<ConversationReads & RunReads>,
): Promise<void> {
  const { by, choice, prompt } = word
  const { phase } = task
  const isKeptBack = (await core.store.openQuestions(task.id)).some(isAboutKeptBack)
  if (phase === 'stuck' || (isKeptBack && choice === 'resume')) return restart(task, by, core)
  if (choice !== 'close' && phase === 'asking' && hearsBy(task, driverOf(task, core)) === 'nothing')
    return restart(task, by, core, { choice, goOn: await goOnBy(task, word, core) })
  const isStopped = phase === 'stopped_by_person'
  if (!(isStopped || isTimed(task)) || choice === 'retry') throw goesOnAlready(task)
  const at = core.clock.now()
  await core.commit({
    task: moveTask({ ...move(task, by, at), event: 'prompt_waits', set: { retries: 0 } }),
    input: { taskId: task.id, kind: 'continuation', text: prompt ?? wordsAfter(task), by, at },
    ...(await answered(task, choice, by, at, core)),
    audit: audit(task, choice, by, at),
  })
}

/** Its process lives: it must not be told that it ended. */
const wordsAfter = (task: Task) =>
  isTimed(task) ? (task.goOn.say ?? CONTINUATION_AFTER_FAILURE) : CONTINUATION_AFTER_STOP

/** A run without life, or one that waits for an answer it cannot hear, is ended first. */
async function restart(
  task: Task,
  by: string,
  core: Pick<Core, 'clock' | 'commit'>,
  { choice, goOn }: { choice: 'resume' | 'retry'; goOn: GoOn | null } = { choice: 'resume', goOn: null },
): Promise<void> {
  const at = core.clock.now()
  const order = { kind: choice, by, reason: `brought back by ${by}`, at, goOn, mode: null } as const
  await tryCommit({ restart: { id: task.id, order }, audit: audit(task, choice, by, at) }, core)
}

async function store(
  task: Task,
  event: 'requeued' | 'reopened',
  word: PersonsWord,
  set: TaskMove['set'],
  core: Pick<Core, 'clock' | 'commit' | 'driver'> & Reads<ConversationReads & RunReads>,
): Promise<void> {
  const { by, choice } = word
  const at = core.clock.now()
  const goOn = await goOnBy(task, word, core)
  const session = goOn.how === 'resume' ? {} : { sessionId: null }
  await core.commit({
    task: moveTask({
      ...move(task, by, at),
      event,
      goOn,
      set: { ...set, ...session, retries: 0, restart: null, runId: null },
    }),
    ...(await answered(task, choice, by, at, core)),
    audit: audit(task, choice, by, at),
  })
}

/** A retry leaves the session behind. */
async function goOnBy(
  task: Task,
  { choice, prompt }: PersonsWord,
  core: Pick<Core, 'driver'> & Reads<ConversationReads & RunReads>,
  hasAsked = task.phase === 'asking',
): Promise<GoOn> {
  const [runs, inputs] = await Promise.all([core.store.runsOf(task.id), core.store.inputs(task.id)])
  const between = { task, runs, inputs, driver: driverOf(task, core), sessionIsLost: false, hasAsked }
  // A runtime whose last turn was over is told nothing: it waits.
  const usual = task.snapshot.standing === true ? goOnAfter(between).say : CONTINUATION
  if (choice === 'resume' && canResume(between)) return { how: 'resume', say: prompt ?? usual }
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

const audit = ({ id }: Task, choice: PersonChoice, by: string, at: number): AuditEntry => ({
  at,
  kind: `task_${choice}`,
  taskId: id,
  actor: by,
  detail: choice,
})

/** A question of ours is answered by the deed. */
async function answered(
  task: Task,
  answer: string,
  by: string,
  at: number,
  { store: { openQuestions } }: Reads<ConversationReads>,
): Promise<Pick<Change, 'answered'>> {
  const own = (await openQuestions(task.id)).find(isOwnQuestion)
  return own === undefined ? {} : { answered: { taskId: task.id, number: own.number, answer, by, at } }
}

const goesOnAlready = ({ id, status, phase }: Task) =>
  new HoldfastError('TASK_ACTIVE', `Session ${id} goes on already (${status}${phase ? `, ${phase}` : ''}).`)
