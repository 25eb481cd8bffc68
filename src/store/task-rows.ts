// Owns writing tasks: a new one, and each move with its transition, event and counters.

import { HoldfastError } from '../domain/errors.ts'
import type { EventDraft } from '../domain/journal/events.ts'
import type { TaskId } from '../domain/names/ids.ts'
import { ENDED } from '../domain/task/machine.ts'
import { nextTask } from '../domain/task/next-state.ts'
import { columnsOf, type PhaseChange } from '../domain/task/state.ts'
import { PRIORITIES } from '../domain/task/task.ts'
import type { Change } from '../ports/store/commits.ts'
import type { TaskDraft, TaskMove, Transition } from '../ports/store/tasks.ts'
import type { Writing } from './database/holding.ts'
import { appendEvent } from './journal/append-events.ts'
import { countArchived, countMove } from './journal/counters.ts'
import { checkExists } from './lock-task.ts'
import { closeAllQuestions } from './questions.ts'
import { tellParent } from './threads/outbox.ts'
import { failWaiting, queueFailed } from './trigger-steps.ts'

export async function insertTask(writing: Writing, draft: TaskDraft): Promise<void> {
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

/** Only the node that owns a task moves it. */
export async function moveTask(writing: Writing, move: TaskMove): Promise<void> {
  const { tx, nodeId } = writing
  const { id, from, event, reason, evidence, at, closesQuestions, voidsResult, tellsParent, waitingPrompts } =
    move
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
    .returning(['moves', 'runId', 'parentId'])
    .executeTakeFirst()
  if (moved === undefined) {
    await checkExists(tx, id)
    throw new HoldfastError(
      'TRANSITION_CONFLICT',
      `Task ${id} is not ${from} any more: '${event}' came too late.`,
    )
  }
  if (closesQuestions) await closeAllQuestions(writing, id, at)
  const { moves: number, runId, parentId } = moved
  if (voidsResult && runId !== null)
    await tx.updateTable('runs').set({ result: null }).where('id', '=', runId).execute()
  const told = await writeTransition(writing, {
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
  if (tellsParent !== null && parentId !== null)
    await tellParent(writing, parentId, { event: told, childId: id, what: tellsParent, at })
  if (wasArchived) countArchived(writing, from, -1)
  if (waitingPrompts === 'give_up') await failWaiting(writing, id, at, reason)
  if (waitingPrompts === 'queue_again') await queueFailed(writing, id, at)
}

export async function setTidied(
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

async function writeTransition(writing: Writing, transition: Transition): Promise<EventDraft> {
  const { from, to, evidence, ...row } = transition
  const { taskId, event, phase, reason, runId, at } = row
  await writing.tx
    .insertInto('taskTransitions')
    .values({ ...row, fromStatus: from, toStatus: to, evidence: JSON.stringify(evidence) })
    .execute()
  const data = { status: to, phase, reason, run_id: runId }
  const told: EventDraft = { at, kind: `task_${event}`, taskId, data }
  appendEvent(writing, told)
  countMove(writing, from, to)
  return told
}
