// Owns how an answer can reach an agent: said to it while it lives, or by resuming it with the answer; and whether it may be one in words.

import { hearsBy } from '../../delivery/inputs/hearing.ts'
import { takesWords } from '../../delivery/inputs/takes-words.ts'
import type { AnswerWay } from '../../domain/conversation/answer-way.ts'
import { isOwnQuestion } from '../../domain/conversation/holdfast-question.ts'
import type { Question } from '../../domain/task/question.ts'
import type { Task } from '../../domain/task/task.ts'
import { driverOf } from '../../ports/run/driver-of.ts'
import type { ConversationReads } from '../../ports/store/conversation.ts'
import type { RunReads } from '../../ports/store/runs.ts'
import type { Reads } from '../../ports/store/store.ts'
import { canResume } from '../recovering/go-on-after.ts'
import type { Core } from '../task/core.ts'

export async function answerWay(
  task: Task,
  question: Question,
  core: Pick<Core, 'driver'> & Reads<ConversationReads & RunReads>,
): Promise<AnswerWay> {
  const driver = driverOf(task, core)
  if (isOwnQuestion(question) || hearsBy(task, driver) !== 'nothing') return 'at_once'
  const [runs, inputs] = await Promise.all([core.store.runsOf(task.id), core.store.inputs(task.id)])
  const between = { task, runs, inputs, driver, sessionIsLost: false, hasAsked: true }
  return canResume(between) ? 'resume' : 'none'
}

/** Most dialogs in a terminal, and the questions of Holdfast itself, take one of their options and nothing else. */
export function takesText(
  task: Task,
  question: Question,
  way: AnswerWay,
  core: Pick<Core, 'driver'>,
): boolean {
  if (isOwnQuestion(question) || way === 'none') return false
  return way === 'resume' || takesWords(question, driverOf(task, core))
}
