// Owns what agents ask: answered once, open until settled.
import type { Selectable } from 'kysely'
import { HoldfastError } from '../domain/errors.ts'
import type { TaskId } from '../domain/ids.ts'
import type { Question } from '../domain/task.ts'
import { ENDED } from '../domain/task-machine.ts'
import type { Store } from '../ports/store.ts'
import type { Change, QuestionDraft } from '../ports/store-changes.ts'
import { writeAudit } from './audit.ts'
import { writeEvent } from './events.ts'
import { type Holding, read, type Tx, write } from './holding.ts'
import { insertInput } from './inputs.ts'
import { lockTask, lockUnended, nextNumber } from './lock-task.ts'
import type { QuestionTable } from './schema.ts'

export const questions = (
  holding: Holding,
): Pick<Store, 'openQuestions' | 'allOpenQuestions' | 'answer'> => ({
  openQuestions: (taskId) =>
    read(holding, async (db) => {
      const rows = await db
        .selectFrom('questions')
        .selectAll()
        .where('taskId', '=', taskId)
        .where('settledAt', 'is', null)
        .orderBy('number')
        .execute()
      return rows.map(questionOf)
    }),

  allOpenQuestions: () =>
    read(holding, async (db) => {
      const rows = await db
        .selectFrom('questions')
        .selectAll()
        .where('settledAt', 'is', null)
        .where(({ exists, selectFrom }) =>
          exists(
            selectFrom('tasks')
              .select('tasks.id')
              .whereRef('tasks.id', '=', 'questions.taskId')
              .where('tasks.nodeId', '=', holding.nodeId)
              .where('tasks.status', 'not in', ENDED),
          ),
        )
        .orderBy('askedAt')
        .orderBy('taskId')
        .orderBy('number')
        .execute()
      return rows.map(questionOf)
    }),

  answer: ({ taskId, number }, { text, option, by, at }, audit) =>
    write(holding, async (tx) => {
      await lockTask(tx, holding, taskId)
      const { numUpdatedRows } = await openOnes(tx, taskId)
        .set({ answer: text, answeredBy: by, answeredAt: at })
        .where('number', '=', number)
        .where('answer', 'is', null)
        .executeTakeFirstOrThrow()
      if (numUpdatedRows === 0n) return false
      const data = { number, option, by }
      await writeEvent(tx, holding, { at, kind: 'question_answered', taskId, data })
      await insertInput(tx, holding, { taskId, kind: 'answer', text, question: number, option, by, at })
      await writeAudit(tx, audit)
      return true
    }),
})

/** Without an input: who asked was Holdfast. The first answer wins. */
export async function markAnswered(
  tx: Tx,
  holding: Holding,
  { taskId, number, answer, by, at }: NonNullable<Change['answered']>,
): Promise<void> {
  await lockTask(tx, holding, taskId)
  const { numUpdatedRows } = await openOnes(tx, taskId)
    .set({ answer, answeredBy: by, answeredAt: at })
    .where('number', '=', number)
    .where('answer', 'is', null)
    .executeTakeFirstOrThrow()
  if (numUpdatedRows === 0n)
    throw new HoldfastError('TRANSITION_CONFLICT', `Question ${number} of ${taskId} is answered already.`)
  await writeEvent(tx, holding, { at, kind: 'question_answered', taskId, data: { number, by } })
}

export async function insertQuestion(tx: Tx, holding: Holding, draft: QuestionDraft): Promise<void> {
  await lockUnended(tx, holding, draft.taskId)
  const number = await nextNumber(tx, 'questions', draft.taskId)
  const options = JSON.stringify(draft.options)
  await tx
    .insertInto('questions')
    .values({ ...draft, number, options })
    .execute()
}

export async function settle(tx: Tx, holding: Holding, settled: Settled): Promise<void> {
  const { taskId, at, numbers } = settled
  if (numbers.length === 0) return
  await lockTask(tx, holding, taskId)
  await openOnes(tx, taskId).set({ settledAt: at }).where('number', 'in', numbers).execute()
}
type Settled = NonNullable<Change['settled']>

/** Only under the task's lock. */
export async function settleAll(tx: Tx, taskId: TaskId, at: number): Promise<void> {
  await openOnes(tx, taskId).set({ settledAt: at }).execute()
}

const openOnes = (tx: Tx, taskId: TaskId) =>
  tx.updateTable('questions').where('taskId', '=', taskId).where('settledAt', 'is', null)

const questionOf = (row: Selectable<QuestionTable>): Question => ({
  ...row,
  options: JSON.parse(row.options),
})
