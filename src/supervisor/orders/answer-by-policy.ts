// Owns answering questions that the user's rules name as safe, instead of a person.
import { answerOf } from '../../delivery/inputs/answer-of.ts'
import { isUsable, ruleFor } from '../../domain/conversation/answer-policy.ts'
import { isHoldfastError } from '../../domain/errors.ts'
import type { Question } from '../../domain/task/question.ts'
import type { Task } from '../../domain/task/task.ts'
import type { Watch } from '../task/core.ts'
import { storeAnswer } from './answer-task.ts'
import type { OrdersNeeds } from './needs.ts'

/** Reads the questions from the store, so that a daemon that died between question and answer leaves nothing unanswered. */
export async function answerByPolicy({ task }: Watch, core: OrdersNeeds): Promise<void> {
  const { answers = [] } = task.snapshot
  if (answers.length === 0 || task.phase !== 'asking') return
  for (const { match } of answers.filter((rule) => !isUsable(rule)))
    core.log.warn('an answer rule of this task is not used: its pattern is not supported', {
      task: task.id,
      match,
    })
  for (const question of await core.store.openQuestions(task.id)) {
    const choice = question.answer === null ? choiceFor(question, task) : undefined
    if (choice !== undefined) await give(choice, question, task, core)
  }
}

/** A rule's answer must be one of the question's options, unless the question has none and wants a text. */
function choiceFor(question: Question, { agent, snapshot }: Task): string | undefined {
  const rule = ruleFor(snapshot.answers ?? [], question, agent)
  if (rule === undefined) return undefined
  const isOffered = question.options.length === 0 || answerOf(rule.answer, question).option !== null
  return isOffered ? rule.answer : undefined
}

async function give(choice: string, { number }: Question, task: Task, core: OrdersNeeds): Promise<void> {
  try {
    await storeAnswer(task, { choice, number, by: 'policy' }, core)
  } catch (error) {
    // A person answered first, or the rule's answer does not fit and a person has to answer.
    if (!isHoldfastError(error, 'ALREADY_ANSWERED', 'NOT_ASKING', 'ANSWER_INVALID', 'AGENT_CANNOT'))
      throw error
  }
}
