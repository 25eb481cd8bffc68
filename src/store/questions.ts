// Owns the questions of tasks: answered once, open until they are settled.
import type { Selectable } from 'kysely'
import { isOwnQuestion } from '../domain/conversation/holdfast-question.ts'
import { HoldfastError } from '../domain/errors.ts'
import type { TaskId } from '../domain/names/ids.ts'
import type { Input } from '../domain/task/input.ts'
import { ENDED } from '../domain/task/machine.ts'
import { askedText, type Question } from '../domain/task/question.ts'
import type { Change } from '../ports/store/commits.ts'
import type { AnswerDraft, QuestionDraft } from '../ports/store/conversation.ts'
import type { Store } from '../ports/store/store.ts'
import { type Holding, read, type Tx, type Writing } from './database/holding.ts'
import type { QuestionTable } from './database/schema.ts'
import { insertInput } from './inputs.ts'
import { appendEvent } from './journal/append-events.ts'
import { lockTask, lockUnended, nextNumber } from './lock-task.ts'

export const questions = (
  holding: Holding,
): Pick<Store, 'openQuestions' | 'question' | 'allOpenQuestions'> => ({
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

  question: (taskId, number) =>
    read(holding, async (db) => {
      const row = await db
        .selectFrom('questions')
        .selectAll()
        .where('taskId', '=', taskId)
        .where('number', '=', number)
        .executeTakeFirst()
      return row && questionOf(row)
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
})

/** The same commit queues the answer as an input. The first answer counts. */
export async function answerQuestion(
  writing: Writing,
  { taskId, number, text, option, by, at }: AnswerDraft,
): Promise<Input> {
  await lockTask(writing, taskId)
  await answerOnce(writing, { taskId, number }, { answer: text, answeredBy: by, answeredAt: at })
  appendEvent(writing, { at, kind: 'question_answered', taskId, data: { number, option, by } })
  return insertInput(writing, { taskId, kind: 'answer', text, question: number, option, by, at })
}

/** For a question that Holdfast itself asked: no input is queued, and the answer settles it. The first answer counts. */
export async function markAnswered(
  writing: Writing,
  { taskId, number, answer, by, at }: NonNullable<Change['answered']>,
): Promise<void> {
  await lockTask(writing, taskId)
  await answerOnce(writing, { taskId, number }, { answer, answeredBy: by, answeredAt: at, settledAt: at })
  appendEvent(writing, { at, kind: 'question_answered', taskId, data: { number, by } })
}

async function answerOnce(
  { tx }: Writing,
  { taskId, number }: Pick<Question, 'taskId' | 'number'>,
  set: Partial<Pick<Question, 'answer' | 'answeredBy' | 'answeredAt' | 'settledAt'>>,
): Promise<void> {
  const { numUpdatedRows } = await openOnes(tx, taskId)
    .set(set)
    .where('number', '=', number)
    .where('answer', 'is', null)
    .executeTakeFirstOrThrow()
  if (numUpdatedRows === 0n)
    throw new HoldfastError('TRANSITION_CONFLICT', `Question ${number} of ${taskId} is answered already.`)
}

export async function insertQuestion(writing: Writing, draft: QuestionDraft): Promise<void> {
  await lockUnended(writing, draft.taskId)
  const number = await nextNumber(writing.tx, 'questions', draft.taskId)
  const options = JSON.stringify(draft.options)
  await writing.tx
    .insertInto('questions')
    .values({ ...draft, number, options })
    .execute()
}

export async function closeQuestions(
  writing: Writing,
  { taskId, at, numbers }: NonNullable<Change['settled']>,
): Promise<void> {
  if (numbers.length === 0) return
  await lockTask(writing, taskId)
  await openOnes(writing.tx, taskId).set({ settledAt: at }).where('number', 'in', numbers).execute()
}

/**
 * A task that waits for a person says for which question. When another question of its agent takes the place of the one for
 * which it began to wait, it also says what that one asks; a move of the task has its own reason. The caller holds the
 * task's lock.
 */
export async function noteOldestQuestion(
  { tx }: Writing,
  taskId: TaskId,
  { hasMoved }: { readonly hasMoved: boolean },
): Promise<void> {
  const row = await tx
    .selectFrom('questions')
    .selectAll()
    .where('taskId', '=', taskId)
    .where('settledAt', 'is', null)
    .orderBy('number')
    .limit(1)
    .executeTakeFirst()
  const oldest = row && questionOf(row)
  const isNext = oldest !== undefined && !hasMoved && !isOwnQuestion(oldest)
  const asks = isNext ? { reason: askedText(oldest) } : {}
  await tx
    .updateTable('tasks')
    .set({ question: oldest?.number ?? null, ...asks })
    .where('id', '=', taskId)
    .where('status', '=', 'waiting_input')
    .execute()
}

/** The caller holds the task's lock. */
export async function closeAllQuestions({ tx }: Writing, taskId: TaskId, at: number): Promise<void> {
  await openOnes(tx, taskId).set({ settledAt: at }).execute()
}

const openOnes = (tx: Tx, taskId: TaskId) =>
  tx.updateTable('questions').where('taskId', '=', taskId).where('settledAt', 'is', null)

const questionOf = (row: Selectable<QuestionTable>): Question => ({
  ...row,
  options: JSON.parse(row.options),
})
