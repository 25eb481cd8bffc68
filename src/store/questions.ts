// Owns what agents ask: answered once, open until settled.
import type { Selectable } from 'kysely'
import type { TaskId } from '../domain/ids.ts'
import type { Question } from '../domain/task.ts'
import type { Change, QuestionDraft, Store } from '../ports/store.ts'
import { writeAudit } from './audit.ts'
import { writeEvent } from './events.ts'
import { type Holding, read, type Tx, write } from './holding.ts'
import { insertInput } from './inputs.ts'
import { lockTask, lockUnended, nextNumber } from './lock-task.ts'
import type { QuestionTable } from './schema.ts'

export const questions = (holding: Holding): Pick<Store, 'openQuestions' | 'answer'> => ({
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
