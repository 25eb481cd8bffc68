// Owns an answer to a question of an agent or of Holdfast: it is said to a living agent, resumes an agent that hears nothing, or decides what becomes of the task.
import { answerOf, chooseQuestion } from '../../delivery/inputs/answer-of.ts'
import { queueAnswer } from '../../delivery/inputs/queue-answer.ts'
import type { AnswerWay } from '../../domain/conversation/answer-way.ts'
import { isOwnQuestion } from '../../domain/conversation/holdfast-question.ts'
import { HoldfastError, waysOut } from '../../domain/errors.ts'
import type { Question } from '../../domain/task/question.ts'
import type { Task } from '../../domain/task/task.ts'
import type { Answer } from '../../ports/run/agent-driver.ts'
import type { Change } from '../../ports/store/commits.ts'
import type { RequestKey } from '../../ports/store/request-keys.ts'
import { oncePerKey, withKey } from '../kernel/once-per-key.ts'
import type { PersonChoice } from '../recovering/decide-end.ts'
import { existingTask } from '../task/existing-task.ts'
import { answerWay, takesText } from './answer-way.ts'
import type { OrdersNeeds } from './needs.ts'
import { alreadyAnswered, personDecides } from './person-decides.ts'
import { resumeWithAnswer } from './resume-with-answer.ts'

export type GivenAnswer = {
  readonly question: Question
  readonly answer: Answer
  readonly way: AnswerWay
  /** The question could also be answered in words. */
  readonly takesText: boolean
}

export type AnswerRequest = {
  readonly choice: string
  /** Of the question; undefined: the first that is not answered. */
  readonly number: number | undefined
  readonly by: string
  readonly key?: RequestKey
}

/** Asked again with the same key, it is told what was answered then: the next question is not answered by it. */
export const answerTask = (task: Task, given: AnswerRequest, core: OrdersNeeds): Promise<GivenAnswer> =>
  oncePerKey(
    given.key,
    {
      make: () => answerNow(task, given, core),
      // `last` may name another session by then than the one that was answered.
      madeBefore: async ({ taskId, made }) =>
        givenBefore(taskId === null ? task : await existingTask(taskId, core), made, core),
    },
    core,
  )

async function answerNow(task: Task, given: AnswerRequest, core: OrdersNeeds): Promise<GivenAnswer> {
  const { along, ...answered } = await core.withLock(task.id, () => storeAnswer(task, given, core))
  const { question, answer, way } = answered
  if (isOwnQuestion(question))
    await personDecides(
      task.id,
      { choice: answer.text as PersonChoice, by: given.by, question: question.number, along },
      core,
    )
  else if (way === 'resume') await core.whenScheduled()
  return answered
}

/** What is remembered of an answer with a key. */
type Made = Pick<GivenAnswer, 'answer' | 'way'> & { readonly number: number }

async function givenBefore(task: Task, made: string, core: OrdersNeeds): Promise<GivenAnswer> {
  const { number, answer, way } = JSON.parse(made) as Made
  const question = await core.store.question(task.id, number)
  if (question === undefined)
    throw new HoldfastError('NOT_ASKING', `Session ${task.id} has no question ${number}.`)
  return { question, answer, way, takesText: takesText(task, question, way, core) }
}

type StoredAnswer = GivenAnswer & { readonly along: Pick<Change, 'requestKey'> }

/** The caller must hold the task's lock. An answer to a question of Holdfast's own is stored when it is carried out, with `along`. */
export async function storeAnswer(
  task: Task,
  { choice, number, by, key }: AnswerRequest,
  core: OrdersNeeds,
): Promise<StoredAnswer> {
  const question = chooseQuestion(await core.store.openQuestions(task.id), number, task)
  const answer = answerOf(choice, question)
  const way = await answerWay(task, question, core)
  const asked = { question, way, takesText: takesText(task, question, way, core) }
  const made: Made = { number: question.number, answer, way }
  const along = withKey(key, { taskId: task.id, made: JSON.stringify(made), at: core.clock.now() })
  if (isOwnQuestion(question)) return { ...asked, answer: ownChoice(answer, question), along }
  if (way === 'none') throw cannotHear(task)
  const answered = { question, answer, by, along }
  const isFirst =
    way === 'resume'
      ? await resumeWithAnswer((await core.store.task(task.id))!, answered, core)
      : await queueAnswer(task, answered, core)
  if (!isFirst) throw alreadyAnswered(task.id, question.number)
  return { ...asked, answer, along }
}

const cannotHear = ({ id }: Task) =>
  new HoldfastError(
    'AGENT_CANNOT',
    `${id} cannot be answered: its agent takes no more input and cannot be resumed. Start it over, or end it.`,
    { waysOut: waysOut(id, 'retry', 'kill') },
  )

/** For a question of Holdfast's own: only one of its options can be carried out. */
export function ownChoice(answer: Answer, { options, text }: Question): Answer {
  if (answer.option !== null) return answer
  throw new HoldfastError('ANSWER_INVALID', `${text} Answer with ${options.join(' or ')}.`)
}
