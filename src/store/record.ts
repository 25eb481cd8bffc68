// Owns writing decisions: state, transition, event, counters and audit row commit together.
import { HoldfastError } from '../domain/errors.ts'
import type { TaskId } from '../domain/ids.ts'
import { nextRun, nextTask } from '../domain/next-state.ts'
import { PRIORITIES } from '../domain/task.ts'
import { ENDED, isEnded, type TaskEvent } from '../domain/task-machine.ts'
import type { Store, Transition } from '../ports/store.ts'
import type { Change, RunDraft, RunMove, TaskDraft, TaskMove } from '../ports/store-changes.ts'
import { auditEnd, writeAudit } from './audit.ts'
import { countMove } from './counters.ts'
import { writeEvent } from './events.ts'
import { closeGate, openGate } from './gates.ts'
import { type Holding, onDisk, type Tx, write, writeSoon } from './holding.ts'
import { queueInput, reword, unsay } from './inputs.ts'
import { checkExists } from './lock-task.ts'
import { insertQuestion, markAnswered, settle, settleAll } from './questions.ts'
import { readTask } from './tasks.ts'

export const recording = (
  holding: Holding,
): Pick<Store, 'createTask' | 'record' | 'recordSoon' | 'onDisk' | 'markTidied' | 'markUntidied'> => ({
  createTask: (draft, audit) =>
    writeSoon(holding, async (tx) => {
      await insertTask(tx, holding, draft)
      await writeAudit(tx, audit)
      return (await readTask(tx, draft.id))!
    }),

  record: (change) => write(holding, (tx) => applyChange(tx, holding, change)),
  recordSoon: (change) => writeSoon(holding, (tx) => applyChange(tx, holding, change)),
  onDisk: () => onDisk(holding),

  markTidied: (id) => write(holding, (tx) => setTidied(tx, id, 1)),
  markUntidied: (id) => write(holding, (tx) => setTidied(tx, id, 0)),
})

async function setTidied(tx: Tx, id: TaskId, tidied: 0 | 1): Promise<void> {
  await tx.updateTable('tasks').set({ tidied }).where('id', '=', id).where('status', 'in', ENDED).execute()
}

export async function applyChange(tx: Tx, holding: Holding, change: Change): Promise<void> {
  if (change.answered) await markAnswered(tx, holding, change.answered)
  if (change.task) await moveTask(tx, holding, change.task)
  if (change.tell) await writeEvent(tx, holding, { at: holding.now(), ...change.tell })
  if (change.settled) await settle(tx, holding, change.settled)
  if (change.question) await insertQuestion(tx, holding, change.question)
  if (change.unsay) await unsay(tx, change.unsay)
  if (change.reword) await reword(tx, change.reword)
  if (change.input) await queueInput(tx, holding, change.input)
  if (change.newRun) await insertRun(tx, holding, change.newRun)
  if (change.run) await moveRun(tx, holding, change.run)
  if (change.gate) await closeGate(tx, holding, change.gate)
  if (change.openGate !== undefined) await openGate(tx, holding, change.openGate)
  if (change.audit) await writeAudit(tx, change.audit)
  if (change.task && change.audit?.kind !== `task_${change.task.event}`) await auditEnd(tx, change.task)
}

async function insertTask(tx: Tx, holding: Holding, draft: TaskDraft): Promise<void> {
  const { to, phase } = nextTask('new', 'created')
  const { id, createdAt } = draft
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('tasks')
    .values({
      ...draft,
      nodeId: holding.nodeId,
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
  const tags = [...new Set(draft.tags)].map((tag) => ({ tag, taskId: id }))
  if (tags.length > 0) await tx.insertInto('taskTags').values(tags).execute()
  const reason = `created by ${draft.createdBy}`
  const step = { event: 'created', from: 'new', to, phase, reason, evidence: [], runId: null } as const
  await writeTransition(tx, holding, { ...step, taskId: id, number: 1, at: createdAt })
}

/** What an agent asked goes with its run. */
const RUN_IS_OVER: ReadonlySet<TaskEvent> = new Set([
  'backed_off',
  'parked',
  'person_stopped',
  'escalated',
  'verifying',
])

/** Only the node that owns a task moves it. */
async function moveTask(tx: Tx, holding: Holding, move: TaskMove): Promise<void> {
  const { id, from, event, reason, evidence, at, set } = move
  const { to, phase } = nextTask(from, event)
  const moved = await tx
    .updateTable('tasks')
    .set((eb) => ({
      ...columnsOf(set),
      status: to,
      phase,
      phaseUntil: set?.phaseUntil ?? null,
      reason,
      tidied: 0,
      ...(event === 'reopened' ? { archivedAt: null } : {}),
      moves: eb('moves', '+', 1),
    }))
    .where('id', '=', id)
    .where('nodeId', '=', holding.nodeId)
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
  if (to === 'pending' || isEnded(to) || RUN_IS_OVER.has(event)) await settleAll(tx, id, at)
  const { moves: number, runId } = moved
  // An earlier turn's result says nothing about this one.
  if (event === 'turn_began' && runId !== null)
    await tx.updateTable('runs').set({ result: null }).where('id', '=', runId).execute()
  await writeTransition(tx, holding, {
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
}

function columnsOf({ goOn, restart, stop, verification, ...plain }: NonNullable<TaskMove['set']> = {}) {
  return {
    ...plain,
    ...(goOn === undefined ? {} : { goOn: jsonText(goOn) }),
    ...(restart === undefined ? {} : { restart: jsonText(restart) }),
    ...(stop === undefined ? {} : { stop: jsonText(stop) }),
    ...(verification === undefined ? {} : { verification: jsonText(verification) }),
  }
}
const jsonText = (value: unknown) => (value === null ? null : JSON.stringify(value))

async function writeTransition(tx: Tx, holding: Holding, transition: Transition): Promise<void> {
  const { from, to, evidence, ...row } = transition
  const { taskId, event, phase, reason, runId, at } = row
  await tx
    .insertInto('taskTransitions')
    .values({ ...row, fromStatus: from, toStatus: to, evidence: JSON.stringify(evidence) })
    .execute()
  const data = { status: to, phase, reason, run_id: runId }
  await writeEvent(tx, holding, { at, kind: `task_${event}`, taskId, data })
  await countMove(tx, from, to)
}

async function insertRun(tx: Tx, { nodeId }: Holding, draft: RunDraft): Promise<void> {
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

async function moveRun(tx: Tx, { nodeId }: Holding, { id, from, event, set }: RunMove): Promise<void> {
  const { numUpdatedRows } = await tx
    .updateTable('runs')
    .set({ ...set, state: nextRun(from, event) })
    .where('id', '=', id)
    .where('nodeId', '=', nodeId)
    .where('state', '=', from)
    .executeTakeFirstOrThrow()
  if (numUpdatedRows === 0n)
    throw new HoldfastError(
      'TRANSITION_CONFLICT',
      `Run ${id} is not ${from} any more: '${event}' came too late.`,
    )
}
