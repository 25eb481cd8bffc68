// Owns an answer to a question of an agent or of Holdfast: it is said to a living agent, resumes an agent that hears nothing, or decides what becomes of the task.
import { answerOf, chooseQuestion } from '../../delivery/inputs/answer-of.ts'
import { queueAnswer } from '../../delivery/inputs/queue-answer.ts'
import type { AnswerWay } from '../../domain/conversation/answer-way.ts'
import { isOwnQuestion } from '../../domain/conversation/holdfast-question.ts'
import { HoldfastError, waysOut } from '../../domain/errors.ts'
import type { Question, Task } from '../../domain/task/task.ts'
import type { Answer } from '../../ports/run/agent-driver.ts'
import type { PersonChoice } from '../recovering/decide-end.ts'
import { answerWay } from './answer-way.ts'
import type { OrdersNeeds } from './needs.ts'
import { personDecides } from './person-decides.ts'
import { resumeWithAnswer } from './resume-with-answer.ts'

export type GivenAnswer = {
  readonly question: Question
  readonly answer: Answer
  readonly way: AnswerWay
}

export async function answerTask(
  task: Task,
  given: { readonly choice: string; readonly number: number | undefined; readonly by: string },
  core: OrdersNeeds,
): Promise<GivenAnswer> {
  const answered = await core.withLock(task.id, () => storeAnswer(task, given, core))
  const { question, answer } = answered
  if (isOwnQuestion(question))
    await personDecides(task.id, { choice: answer.text as PersonChoice, by: given.by }, core)
  else if (answered.way === 'resume') await core.whenScheduled()
  return answered
}

/** The caller must hold the task's lock. */
export async function storeAnswer(
  task: Task,
  {
    choice,
    number,
    by,
  }: { readonly choice: string; readonly number: number | undefined; readonly by: string },
  core: OrdersNeeds,
): Promise<GivenAnswer> {
  const question = chooseQuestion(await core.store.openQuestions(task.id), number, task)
  const answer = answerOf(choice, question)
  const way = await answerWay(task, question, core)
  if (isOwnQuestion(question)) return { question, answer: ownChoice(answer, question), way }
  if (way === 'none') throw cannotHear(task)
  const answered = { question, answer, by }
  const isFirst =
    way === 'resume'
      ? await resumeWithAnswer((await core.store.task(task.id))!, answered, core)
      : await queueAnswer(task, answered, core)
  if (!isFirst)
    throw new HoldfastError(
      'ALREADY_ANSWERED',
      `Question ${question.number} of ${task.id} is answered already.`,
    )
  return { question, answer, way }
}

const cannotHear = ({ id }: Task) =>
  new HoldfastError(
    'AGENT_CANNOT',
    `${id} cannot be answered: its agent takes no more input and cannot be resumed. Start it over, or end it.`,
    { waysOut: waysOut(id, 'retry', 'kill') },
  )

/** For a question of Holdfast's own: only one of its options can be carried out. */
function ownChoice(answer: Answer, { options, text }: Question): Answer {
  if (answer.option !== null) return answer
  throw new HoldfastError('ANSWER_INVALID', `${text} Answer with ${options.join(' or ')}.`)
}
