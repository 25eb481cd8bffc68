// Owns the order in which the parts of a change are written: state, transition, event, counters and audit row commit together.

import type { TaskId } from '../domain/names/ids.ts'
import { nextTask } from '../domain/task/next-state.ts'
import type { Change, Committed } from '../ports/store/commits.ts'
import type { Reading } from '../ports/store/reading.ts'
import type { Store } from '../ports/store/store.ts'
import { writeAudit } from './audit.ts'
import { type Holding, type Tx, untilOnDisk, type Writing, write, writeSoon } from './database/holding.ts'
import { closeGate, openGate } from './gates.ts'
import { noteEntering, queueInput, rewordInput, sayInput, takeBackInput, unsayInputs } from './inputs.ts'
import { appendEvent, writeEvents } from './journal/append-events.ts'
import { writeCounts } from './journal/counters.ts'
import { forgetSubscriber, moveSubscriber, setEventAside, takeUpEvent } from './journal/subscribers.ts'
import { changeNotices } from './notices/write-notices.ts'
import { moveOrder, noteEffect, placeOrder } from './order-rows.ts'
import {
  answerQuestion,
  closeQuestions,
  insertQuestion,
  markAnswered,
  noteOldestQuestion,
} from './questions.ts'
import { advanceRun, applyReading } from './readings.ts'
import { insertRequestKey } from './request-keys.ts'
import { archiveTask, removeTask } from './retention.ts'
import { insertRun, moveRun } from './run-rows.ts'
import { countDaemonDeath, forgiveDaemonDeaths, noteHeartbeat } from './runs.ts'
import { applyRuntimeParts } from './runtimes.ts'
import { placeRestart, placeStop } from './stop-and-restart.ts'
import { insertTask, moveTask, setTidied } from './task-rows.ts'
import { changeThreads } from './threads/change-threads.ts'
import { writeNews } from './threads/outbox.ts'
import { deferWaiting, fallBackWaiting, forceTrigger, moveTrigger } from './trigger-steps.ts'
import { addWorkspace, dropWorkspace } from './workspaces.ts'

export const committing = (holding: Holding): Pick<Store, 'commit' | 'commitSoon' | 'onDisk'> => ({
  commit: (change) => write(holding, (tx) => applyChange(tx, holding, change)),
  commitSoon: (change) => writeSoon(holding, (tx) => applyChange(tx, holding, change)),
  onDisk: () => untilOnDisk(holding),
})

async function applyChange(tx: Tx, holding: Holding, change: Change): Promise<Committed> {
  const writing: Writing = {
    ...holding,
    tx,
    events: [],
    news: [],
    cause: change.cause,
    counts: new Map(),
    tasks: new Set(),
  }
  const input = await applyParts(writing, change)
  const message = await changeThreads(writing, change, input?.triggerId ?? null)
  const toTell = await changeNotices(writing, change)
  await applyToShared(writing, change)
  const events = await writeEvents(writing)
  await writeNews(writing, events)
  await writeCounts(writing)
  return {
    events,
    tasks: writing.tasks,
    ...(input === undefined ? {} : { input }),
    ...(message === undefined ? {} : { message }),
    ...(toTell.size === 0 ? {} : { toTell }),
    ...(change.reading === undefined ? {} : stepsIn(change.reading)),
  }
}

const stepsIn = ({ taskId, runId, steps }: Reading): Partial<Committed> =>
  steps === undefined ? {} : { did: { taskId, runId, steps } }

/**
 * Parts are applied in the order of the row locks: tasks with what belongs to them, then runs, then threads. The counters
 * come last.
 */
async function applyParts(writing: Writing, change: Change) {
  if (change.create) await insertTask(writing, change.create)
  if (change.requestKey) await insertRequestKey(writing, change.requestKey)
  if (change.reading) await applyReading(writing, change.reading)
  if (change.answered) await markAnswered(writing, change.answered)
  if (change.stop) await placeStop(writing, change.stop)
  if (change.restart) await placeRestart(writing, change.restart)
  if (change.giveOrder) await placeOrder(writing, change.giveOrder)
  if (change.order) await moveOrder(writing, change.order)
  if (change.effectOf) await noteEffect(writing, change.effectOf)
  if (change.task) await moveTask(writing, change.task)
  if (change.event) appendEvent(writing, change.event)
  if (change.settled) await closeQuestions(writing, change.settled)
  if (change.question) await insertQuestion(writing, change.question)
  const asked = asksSince(change)
  if (asked !== undefined) await noteOldestQuestion(writing, asked, { hasMoved: change.task !== undefined })
  if (change.unsay) await unsayInputs(writing, change.unsay)
  if (change.takeBack) await takeBackInput(writing, change.takeBack)
  if (change.fallBack) await fallBackWaiting(writing, change.fallBack)
  if (change.deferWaiting) await deferWaiting(writing, change.deferWaiting)
  if (change.trigger) await moveTrigger(writing, change.trigger)
  if (change.force) await forceTrigger(writing, change.force)
  if (change.reword) await rewordInput(writing, change.reword)
  const queued = change.input && (await queueInput(writing, change.input))
  const answered = change.answer && (await answerQuestion(writing, change.answer))
  if (change.entering) await noteEntering(writing, change.entering)
  if (change.say) await sayInput(writing, change.say)
  await applyRuntimeParts(writing, change)
  if (change.tidied) await setTidied(writing, change.tidied)
  if (change.archive) await archiveTask(writing, change.archive)
  if (change.remove) await removeTask(writing, change.remove)
  if (change.newRun) await insertRun(writing, change.newRun)
  if (change.run) await moveRun(writing, change.run)
  if (change.reading) await advanceRun(writing, change.reading)
  if (change.heartbeat) await noteHeartbeat(writing, change.heartbeat)
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
  if (change.forgetSubscriber) await forgetSubscriber(writing, change.forgetSubscriber)
  if (change.handled) await moveSubscriber(writing, change.handled)
  if (change.audit) await writeAudit(writing, change.audit)
}

/** The task whose oldest open question may be another one now. */
function asksSince({ task, question, settled, answered }: Change): TaskId | undefined {
  const moved = task !== undefined && nextTask(task.from, task.event).to === 'waiting_input'
  return question?.taskId ?? settled?.taskId ?? answered?.taskId ?? (moved ? task.id : undefined)
}
