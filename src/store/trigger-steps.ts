// Owns the steps of triggers: each one commits with what it tells of, and with its event and its row of the audit.
import { HoldfastError } from '../domain/errors.ts'
import type { AuditKind } from '../domain/names/audit-kinds.ts'
import type { TaskId, TriggerId } from '../domain/names/ids.ts'
import { type Evidence, saw } from '../domain/task/evidence.ts'
import type { Input } from '../domain/task/task.ts'
import { isStronger } from '../domain/trigger/acknowledgement.ts'
import type { TriggerCode } from '../domain/trigger/codes.ts'
import {
  nextTrigger,
  type TriggerEvent,
  type TriggerState,
  WAITING_STATES,
} from '../domain/trigger/machine.ts'
import { dayOf, triggerIdOf } from '../domain/trigger/trigger-id.ts'
import type { Change } from '../ports/store/commits.ts'
import type { TriggerMove } from '../ports/store/triggers.ts'
import { writeAudit } from './audit.ts'
import type { Tx, Writing } from './database/holding.ts'
import { appendEvent } from './journal/append-events.ts'
import { lockTask } from './lock-task.ts'

export type Stepping = Pick<Input, 'taskId' | 'triggerId' | 'thread' | 'state' | 'code'>
/** The columns that a step needs of its row. */
export const STEPPING = ['taskId', 'triggerId', 'thread', 'state', 'code'] as const

type Step = {
  readonly event: TriggerEvent
  readonly at: number
  readonly evidence: readonly Evidence[]
  readonly code?: TriggerCode | null
}

/** Follows what is said, heard and done: no step where the input is no trigger, or has gone on already. */
export async function stepTrigger(writing: Writing, row: Stepping, step: Step): Promise<void> {
  const { triggerId, state } = row
  const to = nextTrigger(state ?? 'new', step.event)
  if (triggerId === null || to === undefined) return
  const { event, at, evidence, code = null } = step
  const { tx } = writing
  await tx
    .updateTable('inputs')
    .set({ state: to, code, stateAt: at })
    .where('triggerId', '=', triggerId)
    .execute()
  const number = await nextStep(tx, triggerId)
  await tx
    .insertInto('triggerSteps')
    .values({ triggerId, number, event, state: to, code, at, evidence: JSON.stringify(evidence) })
    .execute()
  const agentId = await agentIdOf(tx, row.taskId)
  const data = { trigger_id: triggerId, thread: row.thread, agent_id: agentId, state: to, code }
  appendEvent(writing, { at, kind: `trigger_${event}`, taskId: row.taskId, data })
  await auditStep(writing, row, { event, at, code })
}

/** Null when the trigger is for a task that is no runtime. */
async function agentIdOf(tx: Tx, taskId: TaskId): Promise<string | null> {
  const task = await tx.selectFrom('tasks').select('runtime').where('id', '=', taskId).executeTakeFirst()
  return task?.runtime ?? null
}

async function nextStep(tx: Tx, triggerId: TriggerId): Promise<number> {
  const { last } = await tx
    .selectFrom('triggerSteps')
    .select((eb) => eb.fn.max<number | null>('number').as('last'))
    .where('triggerId', '=', triggerId)
    .executeTakeFirstOrThrow()
  return (last ?? 0) + 1
}

const AUDITED: Readonly<Partial<Record<TriggerEvent, AuditKind>>> = {
  typed: 'trigger_sent',
  deferred: 'trigger_deferred',
  acknowledged: 'ack_received',
  unconfirmed: 'trigger_unconfirmed',
  failed: 'trigger_failed',
  fell_back: 'fallback_resume_started',
}

async function auditStep(
  writing: Writing,
  { triggerId, taskId, thread, state }: Stepping,
  { event, at, code }: Pick<Step, 'event' | 'at' | 'code'>,
): Promise<void> {
  const kind = AUDITED[event]
  const about = `trigger_id=${triggerId}${thread === null ? '' : ` thread_id=${thread}`}`
  const detail = `${about} result=${event}${code ? ` (${code})` : ''}`
  const entry = { at, taskId, actor: 'holdfast', detail }
  if (kind !== undefined) await writeAudit(writing, { ...entry, kind })
  if (event === 'typed' && state === 'fallen_back')
    await writeAudit(writing, { ...entry, kind: 'fallback_resume_succeeded' })
}

/** The day's counter stays locked until the commit, so that no id is given twice. */
export async function newTriggerId({ tx }: Writing, at: number): Promise<TriggerId> {
  const day = dayOf(at)
  const { last } = await tx
    .insertInto('triggerDays')
    .values({ day, last: 1 })
    .onConflict((conflict) =>
      conflict.column('day').doUpdateSet((eb) => ({ last: eb('triggerDays.last', '+', 1) })),
    )
    .returning('last')
    .executeTakeFirstOrThrow()
  return triggerIdOf(day, last)
}

/** TRANSITION_CONFLICT when it is no longer where the decision found it; INVALID_TRANSITION when the table forbids the step. */
export async function moveTrigger(writing: Writing, move: TriggerMove): Promise<void> {
  const row = await lockTrigger(writing, move.id)
  if (row.state !== move.from)
    throw new HoldfastError(
      'TRANSITION_CONFLICT',
      `Trigger ${move.id} is ${row.state}, not ${move.from} any more.`,
    )
  const from = move.event === 'acknowledged' && move.from === 'typed' ? 'submitted' : move.from
  if (nextTrigger(from, move.event) === undefined)
    throw new HoldfastError(
      'INVALID_TRANSITION',
      `Trigger ${move.id} is ${move.from}: it cannot become ${move.event}.`,
    )
  if (move.event === 'acknowledged') return acknowledge(writing, row, move)
  const { at, evidence, event } = move
  if (event === 'fell_back') await sayAgain(writing.tx, move.id)
  await stepTrigger(writing, row, {
    event,
    at,
    evidence,
    code: 'code' in move ? move.code : codeKept(move, row),
  })
}

/** What was late keeps its reason; what is back in the queue has none. */
const codeKept = ({ event }: TriggerMove, { code }: Stepping) =>
  event === 'ack_late' ? code : event === 'unconfirmed' ? ('ACK_TIMEOUT' as const) : null

/** A weaker sign than the one that is known tells nothing new. */
async function acknowledge(
  writing: Writing,
  row: Awaited<ReturnType<typeof lockTrigger>>,
  { id, way, at, evidence }: TriggerMove & { event: 'acknowledged' },
): Promise<void> {
  if (!isStronger(way, row.ackBy)) return
  const heardAt = row.heardAt ?? at
  await writing.tx.updateTable('inputs').set({ ackBy: way, heardAt }).where('triggerId', '=', id).execute()
  // Whoever acknowledges it has it.
  if (row.state === 'typed') await stepTrigger(writing, row, { event: 'submitted', at, evidence })
  const state = row.state === 'typed' ? 'submitted' : row.state
  await stepTrigger(writing, { ...row, state }, { event: 'acknowledged', at, evidence })
}

async function lockTrigger(writing: Writing, id: TriggerId) {
  const find = () =>
    writing.tx
      .selectFrom('inputs')
      .select([...STEPPING, 'ackBy', 'heardAt', 'saidAt', 'forcedBy'])
      .where('triggerId', '=', id)
      .executeTakeFirst()
  const found = await find()
  if (found === undefined) throw new HoldfastError('TRIGGER_NOT_FOUND', `There is no trigger ${id}.`)
  await lockTask(writing, found.taskId)
  return (await find()) ?? found
}

async function sayAgain(tx: Tx, id: TriggerId): Promise<void> {
  await tx
    .updateTable('inputs')
    .set({ runId: null, saidAt: null, heardAt: null, line: null, offset: null })
    .where('triggerId', '=', id)
    .where('doneAt', 'is', null)
    .execute()
}

/** TRANSITION_CONFLICT when somebody forced it before, or it is said. */
export async function forceTrigger(
  writing: Writing,
  { id, by, why, at }: NonNullable<Change['force']>,
): Promise<void> {
  const { taskId, forcedBy, saidAt } = await lockTrigger(writing, id)
  if (forcedBy !== null || saidAt !== null)
    throw new HoldfastError('TRANSITION_CONFLICT', `Trigger ${id} was forced or typed before.`)
  await writing.tx
    .updateTable('inputs')
    .set({ forcedBy: by, forcedWhy: why })
    .where('triggerId', '=', id)
    .execute()
  await auditForce(writing, { taskId, triggerId: id, forcedBy: by, forcedWhy: why }, at)
}

export async function auditForce(
  writing: Writing,
  { taskId, triggerId, forcedBy, forcedWhy }: Pick<Input, 'taskId' | 'triggerId' | 'forcedBy' | 'forcedWhy'>,
  at: number,
): Promise<void> {
  if (forcedBy === null) return
  const detail = `trigger_id=${triggerId} ${forcedWhy}`
  await writeAudit(writing, { at, kind: 'trigger_forced', taskId, actor: forcedBy, detail })
}

/** What waits for a run that is over goes to the one that takes its place. */
export async function fallBackWaiting(
  writing: Writing,
  { taskId, runId, at, code, evidence }: NonNullable<Change['fallBack']>,
): Promise<void> {
  // Whatever its run does, its thread wakes agents too often.
  for (const row of await triggersOf(writing, taskId, ['queued', 'deferred']))
    if (row.code !== 'TRIGGER_RATE_LIMITED')
      await stepTrigger(writing, row, { event: 'fell_back', at, evidence, code })
  for (const row of await triggersOf(writing, taskId, ['typed']))
    if (row.runId === runId) await stepTrigger(writing, row, { event: 'unconfirmed', at, evidence, code })
}

/** Its session does not come back without a person. */
export async function deferWaiting(
  writing: Writing,
  { taskId, at, code, evidence }: NonNullable<Change['deferWaiting']>,
): Promise<void> {
  for (const row of await triggersOf(writing, taskId, WAITING_STATES))
    if (row.code !== 'TRIGGER_RATE_LIMITED')
      await stepTrigger(writing, row, { event: 'deferred', at, evidence, code })
}

/** Nothing waits for a session that has ended. What was typed into it may have arrived or not. */
export async function failWaiting(
  writing: Writing,
  taskId: TaskId,
  at: number,
  reason: string,
): Promise<void> {
  const evidence = [saw('store', `its session ended: ${reason}`)]
  for (const row of await triggersOf(writing, taskId, WAITING_STATES))
    await stepTrigger(writing, row, { event: 'failed', at, evidence, code: 'TARGET_NOT_FOUND' })
  for (const row of await triggersOf(writing, taskId, ['typed']))
    await stepTrigger(writing, row, { event: 'unconfirmed', at, evidence, code: 'TARGET_NOT_FOUND' })
}

/** A session that is brought back is told what waited when it ended. */
export async function queueFailed(writing: Writing, taskId: TaskId, at: number): Promise<void> {
  const evidence = [saw('store', 'its session was brought back')]
  for (const row of await triggersOf(writing, taskId, ['failed']))
    if (row.code === 'TARGET_NOT_FOUND') await stepTrigger(writing, row, { event: 'queued', at, evidence })
}

const triggersOf = ({ tx }: Writing, taskId: TaskId, states: readonly TriggerState[]) =>
  tx
    .selectFrom('inputs')
    .select([...STEPPING, 'runId'])
    .where('taskId', '=', taskId)
    .where('state', 'in', states)
    .orderBy('number')
    .execute()
