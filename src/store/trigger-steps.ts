// Owns the steps of triggers: each one commits with what it tells of, and with its event and its row of the audit.
import { HoldfastError } from '../domain/errors.ts'
import type { AuditKind } from '../domain/names/audit-kinds.ts'
import type { TaskId, TriggerId } from '../domain/names/ids.ts'
import { type Evidence, saw } from '../domain/task/evidence.ts'
import type { Input } from '../domain/task/input.ts'
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

/** Stores the next step of a trigger after its input was said, heard or done. Stores nothing for an input that is no trigger, or whose trigger is already past this step. */
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
  const data = { trigger_id: triggerId, thread: row.thread, agent_id: agentId, from: state, state: to, code }
  appendEvent(writing, { at, kind: `trigger_${event}`, taskId: row.taskId, data })
  const moved = { ...row, state: to, code, agentId }
  const kind = AUDITED[event]
  if (kind !== undefined) await auditTrigger(writing, moved, kind, at)
  if (PROVES_TAKEN.has(event)) await auditFallbackTaken(writing, moved, at)
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
  submitted: 'trigger_submitted',
  deferred: 'trigger_deferred',
  acknowledged: 'ack_received',
  done: 'trigger_done',
  unconfirmed: 'trigger_unconfirmed',
  failed: 'trigger_failed',
  fell_back: 'trigger_fallen_back',
}

type Audited = Stepping & { readonly agentId: string | null }

/** The detail names the trigger's ids and its state, always in the same order; `-` stands for an id that it does not have. */
async function auditTrigger(
  writing: Writing,
  { triggerId, taskId, agentId, thread, state, code }: Audited,
  kind: AuditKind,
  at: number,
): Promise<void> {
  const about = `trigger_id=${triggerId} agent_id=${agentId ?? '-'} thread_id=${thread ?? '-'}`
  const detail = `${about} result=${state}${code === null ? '' : ` (${code})`}`
  await writeAudit(writing, { at, kind, taskId, actor: 'holdfast', detail })
}

/** Steps that prove that the agent has the trigger. That it was typed proves nothing. */
const PROVES_TAKEN: ReadonlySet<TriggerEvent> = new Set(['submitted', 'acknowledged', 'done'])

/** Written once for each time that a trigger fell back: at the first proof that the next run has taken it. */
async function auditFallbackTaken(writing: Writing, row: Audited, at: number): Promise<void> {
  const steps = await writing.tx
    .selectFrom('triggerSteps')
    .select('event')
    .where('triggerId', '=', row.triggerId)
    .where('event', 'in', ['fell_back', ...PROVES_TAKEN])
    .orderBy('number', 'desc')
    .limit(2)
    .execute()
  if (steps[1]?.event !== 'fell_back') return
  const run = await writing.tx
    .selectFrom('inputs')
    .innerJoin('runs', 'runs.id', 'inputs.runId')
    .select('runs.how')
    .where('inputs.triggerId', '=', row.triggerId)
    .executeTakeFirst()
  const kind = run?.how === 'resume' ? 'fallback_resume_succeeded' : 'fallback_spawn_succeeded'
  await auditTrigger(writing, row, kind, at)
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

/** TRANSITION_CONFLICT when the trigger is no longer in the state that the decision was based on; INVALID_TRANSITION when the table forbids the step. */
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
  if (event === 'fell_back') await clearSaid(writing.tx, move.id)
  await stepTrigger(writing, row, {
    event,
    at,
    evidence,
    code: 'code' in move ? move.code : codeKept(move, row),
  })
}

/** A trigger whose acknowledgement is late keeps its code; one that is back in the queue has none. */
const codeKept = ({ event }: TriggerMove, { code }: Stepping) =>
  event === 'ack_late' ? code : event === 'unconfirmed' ? ('ACK_TIMEOUT' as const) : null

/** An acknowledgement that is a weaker sign than the one already stored changes nothing. */
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

/** The trigger counts as not said, so that it is said to the next run. */
async function clearSaid(tx: Tx, id: TriggerId): Promise<void> {
  await tx
    .updateTable('inputs')
    .set({ runId: null, saidAt: null, heardAt: null, line: null, offset: null })
    .where('triggerId', '=', id)
    .where('doneAt', 'is', null)
    .execute()
}

/** TRANSITION_CONFLICT when the trigger was forced before, or was said already. */
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
  appendEvent(writing, { at, kind: 'trigger_forced', taskId, data: { trigger_id: id, by, reason: why } })
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

/** Triggers that wait for a run that is over go to the run that takes its place. */
export async function fallBackWaiting(
  writing: Writing,
  { taskId, runId, how, at, code, evidence }: NonNullable<Change['fallBack']>,
): Promise<void> {
  // A trigger whose thread wakes agents too often stays deferred, whatever happens to the run.
  for (const row of await triggersOf(writing, taskId, ['queued', 'deferred']))
    if (row.code !== 'TRIGGER_RATE_LIMITED')
      await stepTrigger(writing, row, { event: 'fell_back', at, evidence, code })
  for (const row of await triggersOf(writing, taskId, ['typed']))
    if (row.runId === runId) await stepTrigger(writing, row, { event: 'unconfirmed', at, evidence, code })
  const started = how === 'resume' ? 'fallback_resume_started' : 'fallback_spawn_started'
  const agentId = await agentIdOf(writing.tx, taskId)
  for (const row of await triggersOf(writing, taskId, ['fallen_back']))
    await auditTrigger(writing, { ...row, agentId }, started, at)
}

/** Defers the triggers of a task whose session does not come back without a person. */
export async function deferWaiting(
  writing: Writing,
  { taskId, at, code, evidence }: NonNullable<Change['deferWaiting']>,
): Promise<void> {
  for (const row of await triggersOf(writing, taskId, WAITING_STATES))
    if (row.code !== 'TRIGGER_RATE_LIMITED')
      await stepTrigger(writing, row, { event: 'deferred', at, evidence, code })
}

/** Triggers that wait for a session fail when it ends. One that was typed into it may have arrived or not: it is unconfirmed. */
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

/** Triggers that failed because their session ended are queued again when the session is brought back. */
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
