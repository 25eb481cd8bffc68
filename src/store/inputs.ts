// Owns the inputs of tasks: queued in order, said to the agent once, heard.
import { HoldfastError } from '../domain/errors.ts'
import { saw } from '../domain/task/evidence.ts'
import type { Input } from '../domain/task/input.ts'
import type { Change } from '../ports/store/commits.ts'
import type { InputDraft, Saying } from '../ports/store/conversation.ts'
import type { Reading } from '../ports/store/reading.ts'
import type { Store } from '../ports/store/store.ts'
import type { TriggerDraft } from '../ports/store/triggers.ts'
import { type Holding, read, type Writing } from './database/holding.ts'
import { whenGiven } from './database/when-given.ts'
import { appendEvent } from './journal/append-events.ts'
import { lockTask, lockUnended, nextNumber } from './lock-task.ts'
import { auditForce, newTriggerId, STEPPING, stepTrigger } from './trigger-steps.ts'

export const inputs = (holding: Holding): Pick<Store, 'inputs'> => ({
  inputs: (taskId) =>
    read(holding, (db) =>
      db.selectFrom('inputs').selectAll().where('taskId', '=', taskId).orderBy('number').execute(),
    ),
})

export async function queueInput(writing: Writing, draft: InputDraft): Promise<Input> {
  await lockUnended(writing, draft.taskId)
  return insertInput(writing, draft)
}

export async function sayInput(writing: Writing, saying: Saying): Promise<void> {
  await lockTask(writing, saying.taskId)
  const said = await markSaid(writing, saying)
  await addToInputLength(writing, saying, said)
}

export async function noteEntering(
  writing: Writing,
  { taskId, number, runId }: NonNullable<Change['entering']>,
): Promise<void> {
  await lockTask(writing, taskId)
  await writing.tx
    .updateTable('inputs')
    .set({ runId })
    .where('taskId', '=', taskId)
    .where('number', '=', number)
    .where('saidAt', 'is', null)
    .execute()
}

/** Queues the inputs again that a run which is gone has not heard. Not answers: they belong to a question of that run. */
export async function unsayInputs(
  writing: Writing,
  { taskId, runId, from }: NonNullable<Change['unsay']>,
): Promise<void> {
  writing.tasks.add(taskId)
  const unsaid = await writing.tx
    .updateTable('inputs')
    .set({ runId: null, saidAt: null, line: null, offset: null })
    .where('taskId', '=', taskId)
    .where('runId', '=', runId)
    .where('number', '>=', from)
    .where('saidAt', 'is not', null)
    .where('kind', 'in', ['prompt', 'end'])
    .where('heardAt', 'is', null)
    .returning(STEPPING)
    .execute()
  const evidence = [saw('process', `run ${runId} is over, and has not told that it had it`)]
  for (const row of unsaid)
    await stepTrigger(writing, row, { event: 'fell_back', at: writing.now(), evidence, code: 'PANE_DEAD' })
}

/** Queues one input again that was said but not heard. */
export async function takeBackInput(
  writing: Writing,
  { taskId, runId, number }: NonNullable<Change['takeBack']>,
): Promise<void> {
  writing.tasks.add(taskId)
  const takenBack = await writing.tx
    .updateTable('inputs')
    .set({ runId: null, saidAt: null, line: null, offset: null })
    .where('taskId', '=', taskId)
    .where('runId', '=', runId)
    .where('number', '=', number)
    .where('heardAt', 'is', null)
    .where('doneAt', 'is', null)
    .returning(STEPPING)
    .executeTakeFirst()
  if (takenBack === undefined) return
  const evidence = [saw('screen', 'it left the box, and nothing came of it: the agent has not got it')]
  await stepTrigger(writing, takenBack, { event: 'queued', at: writing.now(), evidence })
}

export async function rewordInput(
  { tx, tasks }: Writing,
  { taskId, number, text }: NonNullable<Change['reword']>,
): Promise<void> {
  tasks.add(taskId)
  await tx
    .updateTable('inputs')
    .set({ text })
    .where('taskId', '=', taskId)
    .where('number', '=', number)
    .where('saidAt', 'is', null)
    .execute()
}

/** The caller holds the task's lock. */
export async function insertInput(
  writing: Writing,
  draft: InputDraft & Partial<Pick<Input, 'question' | 'option'>>,
): Promise<Input> {
  const { tx } = writing
  const { trigger, deferred, ...plain } = draft
  const { taskId, kind, by, at } = draft
  const number = await nextNumber(tx, 'inputs', taskId)
  appendEvent(writing, { at, kind: 'input_queued', taskId, data: { number, kind, by } })
  const row = await tx
    .insertInto('inputs')
    .values({ ...plain, number, ...(trigger && (await triggerColumns(writing, draft, trigger))) })
    .returningAll()
    .executeTakeFirstOrThrow()
  if (trigger === undefined) return row
  await stepTrigger(writing, row, { event: 'queued', at, evidence: [saw('store', `sent by ${by}`)] })
  await auditForce(writing, row, at)
  if (deferred === undefined) return { ...row, state: 'queued', stateAt: at }
  await stepTrigger(writing, { ...row, state: 'queued' }, { event: 'deferred', at, ...deferred })
  return { ...row, state: 'deferred', code: deferred.code, stateAt: at }
}

/** TRANSITION_CONFLICT when its key names another one of the task. */
async function triggerColumns(writing: Writing, { taskId, at }: InputDraft, trigger: TriggerDraft) {
  const { key } = trigger
  if (key !== null) {
    const before = await writing.tx
      .selectFrom('inputs')
      .select('number')
      .where('taskId', '=', taskId)
      .where('key', '=', key)
      .executeTakeFirst()
    if (before !== undefined)
      throw new HoldfastError(
        'TRANSITION_CONFLICT',
        `Key '${key}' names input ${before.number} of ${taskId}.`,
      )
  }
  return { ...trigger, triggerId: await newTriggerId(writing, at) }
}

type Said = Pick<Input, 'kind' | 'line'>

async function markSaid(writing: Writing, saying: Saying): Promise<Said> {
  const { taskId, number, runId, at, written } = saying
  const said = await writing.tx
    .updateTable('inputs')
    .set({ runId, saidAt: at, line: written?.line, offset: written?.offset })
    .where('taskId', '=', taskId)
    .where('number', '=', number)
    .where('saidAt', 'is', null)
    .returning(['kind', 'line', ...STEPPING])
    .executeTakeFirst()
  if (said === undefined)
    throw new HoldfastError(
      'TRANSITION_CONFLICT',
      `Input ${number} of task ${taskId} is not queued any more.`,
    )
  const data = { number, kind: said.kind, run_id: runId }
  appendEvent(writing, { at, kind: 'input_said', taskId, data })
  const way =
    written === null
      ? saw('tmux', 'it stood in its box as it was sent, and Enter was pressed')
      : saw('store', `written to its input file, at byte ${written.offset}`)
  await stepTrigger(writing, said, { event: 'typed', at, evidence: [way] })
  return said
}

/** Adds the length of the line as it is stored: after a crash, what the file lacks is written from the stored line. */
async function addToInputLength({ tx, nodeId }: Writing, saying: Saying, said: Said): Promise<void> {
  const { taskId, number, runId, written, voidsResult } = saying
  const { numUpdatedRows } = await tx
    .updateTable('runs')
    .set((eb) => ({
      inputLength: eb('inputLength', '+', Buffer.byteLength(said.line ?? '')),
      ...(voidsResult ? { result: null, failure: null, limitedUntil: null } : {}),
    }))
    .where('id', '=', runId)
    .where('taskId', '=', taskId)
    .where('nodeId', '=', nodeId)
    .$call(whenGiven(written, (query, { offset }) => query.where('inputLength', '=', offset)))
    .executeTakeFirstOrThrow()
  if (numUpdatedRows === 0n)
    throw new HoldfastError('TRANSITION_CONFLICT', `Run ${runId} does not await input ${number} there.`)
}

/** An input whose turn is over was heard, too. An input that was never said stays as it is. */
export async function markHeard(writing: Writing, reading: Reading): Promise<void> {
  const { taskId, runId, heard = [], done = [] } = reading
  if (heard.length + done.length === 0) return
  await lockTask(writing, taskId)
  const at = writing.now()
  const said = writing.tx.updateTable('inputs').where('taskId', '=', taskId).where('saidAt', 'is not', null)
  const news = await said
    .set({ heardAt: at })
    .where('number', 'in', [...heard, ...done])
    .where('heardAt', 'is', null)
    .returning(['number', ...STEPPING])
    .execute()
  for (const row of inOrder(news)) {
    appendEvent(writing, { at, kind: 'input_heard', taskId, data: { number: row.number, run_id: runId } })
    const evidence = reading.heardBy ?? [saw('agent', 'it told that it has it')]
    await stepTrigger(writing, row, { event: reading.unproven ? 'unconfirmed' : 'submitted', at, evidence })
  }
  if (done.length === 0) return
  const over = await said
    .set({ doneAt: at })
    .where('number', 'in', done)
    .where('doneAt', 'is', null)
    .returning(['number', ...STEPPING])
    .execute()
  for (const row of inOrder(over)) {
    const evidence = reading.heardBy ?? [saw('agent', 'it told that its turn is over')]
    if (!reading.unproven) await stepTrigger(writing, row, { event: 'done', at, evidence })
  }
}

const inOrder = <Row extends Pick<Input, 'number'>>(rows: readonly Row[]) =>
  [...rows].sort((a, b) => a.number - b.number)
