// Owns a person's answer to what an agent asks: checked against what it can take, stored once, then given.

import { tryCommit } from '../../changes/try-commit.ts'
import type { AnswerWay } from '../../domain/conversation/answer-way.ts'
import { isOwnQuestion } from '../../domain/conversation/holdfast-question.ts'
import { HoldfastError, waysOut } from '../../domain/errors.ts'
import type { Question, Task } from '../../domain/task/task.ts'
import type { AgentDriver, Answer } from '../../ports/agent-driver.ts'
import { driverOf } from '../../ports/driver-of.ts'
import type { AuditEntry } from '../../ports/store-changes.ts'
import type { PersonChoice } from '../recovering/decide-end.ts'
import type { Core } from '../task/core.ts'
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

/** Only where the task is ours alone. */
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
  if (way === 'at_once') await checkTakes(answer, question, task, core)
  const at = core.clock.now()
  const detail = `${question.text.slice(0, 200)} → ${answer.text.slice(0, 200)}`
  const audit: AuditEntry = { at, kind: 'question_answered', taskId: task.id, actor: by, detail }
  const isFirst =
    way === 'resume'
      ? await resumeWithAnswer((await core.store.task(task.id))!, { question, answer, by }, audit, core)
      : (await tryCommit(
          { answer: { taskId: task.id, number: question.number, ...answer, by, at }, audit },
          core,
        )) !== undefined
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

/** Holdfast itself asks: only what it offers can be done. */
function ownChoice(answer: Answer, { options, text }: Question): Answer {
  if (answer.option !== null) return answer
  throw new HoldfastError('ANSWER_INVALID', `${text} Answer with ${options.join(' or ')}.`)
}

function chooseQuestion(open: readonly Question[], number: number | undefined, { id }: Task): Question {
  const asked = number === undefined ? open : open.filter((question) => question.number === number)
  const question = asked.find(({ answer }) => answer === null) ?? asked[0]
  if (question !== undefined) return question
  throw new HoldfastError(
    'NOT_ASKING',
    number === undefined
      ? `Session ${id} has no open question.`
      : `Session ${id} has no open question ${number}.`,
  )
}

/** A number as `status` shows it, an option's words, or the only option that begins so; anything else is a text of one's own. */
export function answerOf(choice: string, { options }: Pick<Question, 'options'>): Answer {
  const words = choice.trim().toLowerCase()
  const byNumber = /^\d+$/.test(words) ? Number(words) - 1 : -1
  const same = options.findIndex((option) => option.toLowerCase() === words)
  const likely = options.flatMap((option, at) => (option.toLowerCase().startsWith(words) ? [at] : []))
  const beginning = words !== '' && likely.length === 1 ? likely[0]! : -1
  const option = [same, byNumber, beginning].find((at) => options[at] !== undefined) ?? null
  return { option, text: option === null ? choice : options[option]! }
}

async function checkTakes(
  answer: Answer,
  question: Question,
  task: Task,
  core: Pick<Core, 'driver' | 'terminal'>,
): Promise<void> {
  const driver = driverOf(task, core)
  if (await takes(answer, question, task, driver, core)) return
  const options = question.options.map((option, at) => `${at + 1}. ${option}`).join(', ')
  const known = options === '' ? '' : ` (${options})`
  throw new HoldfastError(
    'ANSWER_INVALID',
    `The agent does not take this answer. It asks: ${question.text}${known}`,
  )
}

async function takes(
  answer: Answer,
  { ref, text, options }: Question,
  task: Task,
  driver: AgentDriver,
  core: Pick<Core, 'terminal'>,
): Promise<boolean> {
  if (ref !== null) return driver.lines!.answer({ ref, question: text, options }, answer) !== null
  const view = await core.terminal.look(task.id, task.runId!)
  if (view === undefined) return false
  const reading = driver.readScreen(view)
  return reading.phase === 'asking' && (driver.keys?.choose(reading, answer) ?? null) !== null
}
