// Owns an answer to a question of a session of another daemon on the same store. What only that daemon can do, because it
// watches the run or has the terminal, is ordered of it or refused.
import { answerOf, chooseQuestion } from '../../delivery/inputs/answer-of.ts'
import { isOwnQuestion } from '../../domain/conversation/holdfast-question.ts'
import type { Task } from '../../domain/task/task.ts'
import { type AnswerRequest, answerTask, type GivenAnswer, ownChoice } from './answer-task.ts'
import { answerWay } from './answer-way.ts'
import type { OrdersNeeds } from './needs.ts'
import { otherNode } from './of-other-node.ts'
import type { OrderBook } from './order-book.ts'

export async function answerElsewhere(
  task: Task,
  given: AnswerRequest,
  orders: Pick<OrderBook, 'give'>,
  core: OrdersNeeds,
): Promise<GivenAnswer> {
  const question = chooseQuestion(await core.store.openQuestions(task.id), given.number, task)
  if (isOwnQuestion(question)) {
    const answer = ownChoice(answerOf(given.choice, question), question)
    // An order to end it would also end a session that somebody has brought back meanwhile.
    if (answer.text === 'close')
      throw await otherNode(task, 'It is closed there, or ended from here.', core, 'kill')
    const kind = answer.text as 'resume' | 'retry'
    const settled = await orders.give({ taskId: task.id, kind, by: given.by, key: given.key?.key ?? null })
    await settled()
    return { question, answer, way: 'at_once', takesText: false }
  }
  const way = await answerWay(task, question, core)
  // A line for the agent is only stored, and that daemon finds it. All else needs its terminal, or moves the task.
  const isStoredAlone = way === 'at_once' && question.ref !== null
  if (!isStoredAlone && way !== 'none')
    throw await otherNode(task, 'Its question can only be answered there.', core)
  return answerTask(task, given, core)
}
