// Owns the inputs of tasks: queued in order, said to the agent once, heard.
import { HoldfastError } from '../domain/errors.ts'
import type { Input } from '../domain/task/task.ts'
import type { Store } from '../ports/store.ts'
import type { Change, InputDraft, Reading, Saying } from '../ports/store-changes.ts'
import { type Holding, read, type Writing } from './database/holding.ts'
import { whenGiven } from './database/when-given.ts'
import { appendEvent } from './journal/append-events.ts'
import { lockTask, lockUnended, nextNumber } from './lock-task.ts'

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

/** Queues the inputs again that a run which is gone has not heard. Not answers: they belong to a question of that run. */
export async function unsayInputs(
  { tx, tasks }: Writing,
  { taskId, runId, from }: NonNullable<Change['unsay']>,
): Promise<void> {
  tasks.add(taskId)
  await tx
    .updateTable('inputs')
    .set({ runId: null, saidAt: null, line: null, offset: null })
    .where('taskId', '=', taskId)
    .where('runId', '=', runId)
    .where('number', '>=', from)
    .where('kind', 'in', ['prompt', 'end'])
    .where('heardAt', 'is', null)
    .execute()
}

/** Queues one input again that was said but not heard. */
export async function takeBackInput(
  { tx, tasks }: Writing,
  { taskId, runId, number }: NonNullable<Change['takeBack']>,
): Promise<void> {
  tasks.add(taskId)
  await tx
    .updateTable('inputs')
    .set({ runId: null, saidAt: null, line: null, offset: null })
    .where('taskId', '=', taskId)
    .where('runId', '=', runId)
    .where('number', '=', number)
    .where('heardAt', 'is', null)
    .where('doneAt', 'is', null)
    .execute()
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
  const { taskId, kind, by, at } = draft
  const number = await nextNumber(tx, 'inputs', taskId)
  appendEvent(writing, { at, kind: 'input_queued', taskId, data: { number, kind, by } })
  return tx
    .insertInto('inputs')
    .values({ ...draft, number })
    .returningAll()
    .executeTakeFirstOrThrow()
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
    .returning(['kind', 'line'])
    .executeTakeFirst()
  if (said === undefined)
    throw new HoldfastError(
      'TRANSITION_CONFLICT',
      `Input ${number} of task ${taskId} is not queued any more.`,
    )
  const data = { number, kind: said.kind, run_id: runId }
  appendEvent(writing, { at, kind: 'input_said', taskId, data })
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
    .returning('number')
    .execute()
  for (const { number } of news.sort((a, b) => a.number - b.number))
    appendEvent(writing, { at, kind: 'input_heard', taskId, data: { number, run_id: runId } })
  if (done.length > 0)
    await said.set({ doneAt: at }).where('number', 'in', done).where('doneAt', 'is', null).execute()
}
