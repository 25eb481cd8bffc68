// Owns writing changes: state, transition, event, counters and audit row commit together.
import { HoldfastError } from '../domain/errors.ts'
import type { TaskId } from '../domain/names/ids.ts'
import { ENDED, isEnded } from '../domain/task/machine.ts'
import { nextRun, nextTask } from '../domain/task/next-state.ts'
import { columnsOf, type PhaseChange } from '../domain/task/state.ts'
import { PRIORITIES } from '../domain/task/task.ts'
import type { Store, Transition } from '../ports/store.ts'
import type {
  Change,
  Committed,
  RunDraft,
  RunMove,
  TaskDraft,
  TaskKey,
  TaskMove,
} from '../ports/store-changes.ts'
import { writeAudit } from './audit.ts'
import { type Holding, type Tx, untilOnDisk, type Writing, write, writeSoon } from './database/holding.ts'
import { closeGate, openGate } from './gates.ts'
import { queueInput, rewordInput, sayInput, takeBackInput, unsayInputs } from './inputs.ts'
import { appendEvent, writeEvents } from './journal/append-events.ts'
import { countArchived, countMove, writeCounts } from './journal/counters.ts'
import { moveSubscriber, setEventAside, takeUpEvent } from './journal/subscribers.ts'
import { checkExists } from './lock-task.ts'
import { changeNotices } from './notices/write-notices.ts'
import { moveOrder, placeOrder } from './order-rows.ts'
import {
  answerQuestion,
  closeAllQuestions,
  closeQuestions,
  insertQuestion,
  markAnswered,
  noteOldestQuestion,
} from './questions.ts'
import { advanceRun, applyReading } from './readings.ts'
import { archiveTask, removeTask } from './retention.ts'
import { countDaemonDeath, forgiveDaemonDeaths } from './runs.ts'
import { applyRuntimeParts } from './runtimes.ts'
import { placeRestart, placeStop } from './stop-and-restart.ts'
import { changeThreads } from './threads/change-threads.ts'
import {
  deferWaiting,
  failWaiting,
  fallBackWaiting,
  forceTrigger,
  moveTrigger,
  queueFailed,
} from './trigger-steps.ts'
import { addWorkspace, dropWorkspace } from './workspaces.ts'

export const committing = (holding: Holding): Pick<Store, 'commit' | 'commitSoon' | 'onDisk'> => ({
  commit: (change) => write(holding, (tx) => applyChange(tx, holding, change)),
  commitSoon: (change) => writeSoon(holding, (tx) => applyChange(tx, holding, change)),
  onDisk: () => untilOnDisk(holding),
})

async function applyChange(tx: Tx, holding: Holding, change: Change): Promise<Committed> {
  const writing: Writing = { ...holding, tx, events: [], counts: new Map(), tasks: new Set() }
  const input = await applyParts(writing, change)
  const message = await changeThreads(writing, change, input?.triggerId ?? null)
  const toTell = await changeNotices(writing, change)
  await applyToShared(writing, change)
  const events = await writeEvents(writing)
  await writeCounts(writing)
  return {
    events,
    tasks: writing.tasks,
    ...(input === undefined ? {} : { input }),
    ...(message === undefined ? {} : { message }),
    ...(toTell.size === 0 ? {} : { toTell }),
  }
}

/**
 * Parts are applied in the order of the row locks: tasks with what belongs to them, then runs, then threads. The counters
 * come last.
 */
async function applyParts(writing: Writing, change: Change) {
  if (change.create) await insertTask(writing, change.create)
  if (change.taskKey) await insertTaskKey(writing, change.taskKey)
  if (change.reading) await applyReading(writing, change.reading)
  if (change.answered) await markAnswered(writing, change.answered)
  if (change.stop) await placeStop(writing, change.stop)
  if (change.restart) await placeRestart(writing, change.restart)
  if (change.giveOrder) await placeOrder(writing, change.giveOrder)
  if (change.order) await moveOrder(writing, change.order)
  if (change.task) await moveTask(writing, change.task)
  if (change.event) appendEvent(writing, change.event)
  if (change.settled) await closeQuestions(writing, change.settled)
  if (change.question) await insertQuestion(writing, change.question)
  const asked = asksSince(change)
  if (asked !== undefined) await noteOldestQuestion(writing, asked)
  if (change.unsay) await unsayInputs(writing, change.unsay)
  if (change.takeBack) await takeBackInput(writing, change.takeBack)
  if (change.fallBack) await fallBackWaiting(writing, change.fallBack)
  if (change.deferWaiting) await deferWaiting(writing, change.deferWaiting)
  if (change.trigger) await moveTrigger(writing, change.trigger)
  if (change.force) await forceTrigger(writing, change.force)
  if (change.reword) await rewordInput(writing, change.reword)
  const queued = change.input && (await queueInput(writing, change.input))
  const answered = change.answer && (await answerQuestion(writing, change.answer))
  if (change.say) await sayInput(writing, change.say)
  await applyRuntimeParts(writing, change)
  if (change.tidied) await setTidied(writing, change.tidied)
  if (change.archive) await archiveTask(writing, change.archive)
  if (change.remove) await removeTask(writing, change.remove)
  if (change.newRun) await insertRun(writing, change.newRun)
  if (change.run) await moveRun(writing, change.run)
  if (change.reading) await advanceRun(writing, change.reading)
  if (change.daemonDied) await countDaemonDeath(writing, change.daemonDied)
  if (change.daemonLives) await forgiveDaemonDeaths(writing, change.daemonLives)
  return queued ?? answered
}

/** What belongs to no task or thread: gates, workspaces, readers of the journal, the record. */
async function applyToShared(writing: Writing, change: Change): Promise<void> {
  if (change.gate) await closeGate(writing, change.gate)
  if (change.openGate !== undefined) await openGate(writing, change.openGate)
  if (change.workspace) await addWorkspace(writing, change.workspace)
  if (change.dropWorkspace) await dropWorkspace(writing, change.dropWorkspace)
  if (change.setAside) await setEventAside(writing, change.setAside)
  if (change.takeUp) await takeUpEvent(writing, change.takeUp)
  if (change.handled) await moveSubscriber(writing, change.handled)
  if (change.audit) await writeAudit(writing, change.audit)
}

/** The task whose oldest open question may be another one now. */
function asksSince({ task, question, settled, answered }: Change): TaskId | undefined {
  const moved = task !== undefined && nextTask(task.from, task.event).to === 'waiting_input'
  return question?.taskId ?? settled?.taskId ?? answered?.taskId ?? (moved ? task.id : undefined)
}

async function setTidied(
  { tx, tasks }: Writing,
  { id, isTidied }: NonNullable<Change['tidied']>,
): Promise<void> {
  tasks.add(id)
  await tx
    .updateTable('tasks')
    .set({ tidied: isTidied ? 1 : 0 })
    .where('id', '=', id)
    .where('status', 'in', ENDED)
    .execute()
}

async function insertTask(writing: Writing, draft: TaskDraft): Promise<void> {
  const { tx, nodeId } = writing
  const { to, phase } = nextTask('new', 'created')
  const { id, createdAt } = draft
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('tasks')
    .values({
      ...draft,
      nodeId,
      status: to,
      phase,
      priority: PRIORITIES[draft.priority],
      tags: JSON.stringify(draft.tags),
      meta: JSON.stringify(draft.meta),
      snapshot: JSON.stringify(draft.snapshot),
      moves: 1,
      tidied: 0,
      workedMs: 0,
      tokensIn: 0,
      tokensOut: 0,
      costUsd: 0,
      hookViolations: '[]',
      retries: 0,
    })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .executeTakeFirstOrThrow()
  if (numInsertedOrUpdatedRows === 0n)
    throw new HoldfastError('TASK_EXISTS', `There is already a task ${id}.`)
  const tags = [...new Set(draft.tags)].map((tag) => ({ tag, taskId: id, createdAt }))
  if (tags.length > 0) await tx.insertInto('taskTags').values(tags).execute()
  const reason = `created by ${draft.createdBy}`
  const step = { event: 'created', from: 'new', to, phase, reason, evidence: [], runId: null } as const
  await writeTransition(writing, { ...step, taskId: id, number: 1, at: createdAt })
}

async function insertTaskKey({ tx }: Writing, key: TaskKey): Promise<void> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('taskKeys')
    .values(key)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow()
  if (numInsertedOrUpdatedRows === 0n)
    throw new HoldfastError('TRANSITION_CONFLICT', 'A task was made with this key before.')
}

/** Only the node that owns a task moves it. */
async function moveTask(writing: Writing, move: TaskMove): Promise<void> {
  const { tx, nodeId } = writing
  const { id, from, event, reason, evidence, at, closesQuestions, voidsResult } = move
  const { to, phase } = nextTask(from, event)
  const wasArchived = event === 'reopened' && (await isArchived(writing, id))
  const moved = await tx
    .updateTable('tasks')
    .set((eb) => ({
      ...storedFacts(move.set),
      ...storedPhase(move),
      status: to,
      phase,
      question: null,
      reason,
      tidied: 0,
      ...(event === 'reopened' ? { archivedAt: null } : {}),
      moves: eb('moves', '+', 1),
    }))
    .where('id', '=', id)
    .where('nodeId', '=', nodeId)
    .where('status', '=', from)
    .returning(['moves', 'runId'])
    .executeTakeFirst()
  if (moved === undefined) {
    await checkExists(tx, id)
    throw new HoldfastError(
      'TRANSITION_CONFLICT',
      `Task ${id} is not ${from} any more: '${event}' came too late.`,
    )
  }
  if (closesQuestions) await closeAllQuestions(writing, id, at)
  const { moves: number, runId } = moved
  if (voidsResult && runId !== null)
    await tx.updateTable('runs').set({ result: null }).where('id', '=', runId).execute()
  await writeTransition(writing, {
    taskId: id,
    number,
    event,
    from,
    to,
    phase,
    reason,
    evidence,
    runId,
    at,
  })
  if (wasArchived) countArchived(writing, from, -1)
  if (isEnded(to)) await failWaiting(writing, id, at, reason)
  if (event === 'reopened') await queueFailed(writing, id, at)
}

/** Locks the row, so that the answer is still true when the task moves. */
async function isArchived({ tx, backend }: Writing, id: TaskId): Promise<boolean> {
  const task = await tx
    .selectFrom('tasks')
    .select('archivedAt')
    .where('id', '=', id)
    .$if(backend.locksRows, (query) => query.forNoKeyUpdate())
    .executeTakeFirst()
  return task !== undefined && task.archivedAt !== null
}

function storedPhase(change: PhaseChange) {
  const { goOn, waitsFor, ...plain } = columnsOf(change)
  return { ...plain, goOn: jsonText(goOn), waitsFor: jsonText(waitsFor) }
}

function storedFacts({ restart, stop, verification, ...plain }: NonNullable<TaskMove['set']> = {}) {
  return {
    ...plain,
    ...(restart === undefined ? {} : { restart: jsonText(restart) }),
    ...(stop === undefined ? {} : { stop: jsonText(stop) }),
    ...(verification === undefined ? {} : { verification: jsonText(verification) }),
  }
}
const jsonText = (value: unknown) => (value === null ? null : JSON.stringify(value))

async function writeTransition(writing: Writing, transition: Transition): Promise<void> {
  const { from, to, evidence, ...row } = transition
  const { taskId, event, phase, reason, runId, at } = row
  await writing.tx
    .insertInto('taskTransitions')
    .values({ ...row, fromStatus: from, toStatus: to, evidence: JSON.stringify(evidence) })
    .execute()
  const data = { status: to, phase, reason, run_id: runId }
  appendEvent(writing, { at, kind: `task_${event}`, taskId, data })
  countMove(writing, from, to)
}

async function insertRun({ tx, nodeId, tasks }: Writing, draft: RunDraft): Promise<void> {
  tasks.add(draft.taskId)
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('runs')
    .values({
      ...draft,
      nodeId,
      state: 'launching',
      eventsOffset: 0,
      unknownLines: 0,
      tools: 0,
      progress: 0,
      sessionRefused: 0,
      eventsLost: 0,
      daemonDeaths: 0,
      steps: '[]',
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow()
  if (numInsertedOrUpdatedRows === 0n)
    throw new HoldfastError(
      'TRANSITION_CONFLICT',
      `Run ${draft.number} of task ${draft.taskId} exists already.`,
    )
}

async function moveRun({ tx, nodeId, tasks }: Writing, { id, from, event, set }: RunMove): Promise<void> {
  const moved = await tx
    .updateTable('runs')
    .set({ ...set, state: nextRun(from, event) })
    .where('id', '=', id)
    .where('nodeId', '=', nodeId)
    .where('state', '=', from)
    .returning('taskId')
    .executeTakeFirst()
  if (moved === undefined)
    throw new HoldfastError(
      'TRANSITION_CONFLICT',
      `Run ${id} is not ${from} any more: '${event}' came too late.`,
    )
  tasks.add(moved.taskId)
}
