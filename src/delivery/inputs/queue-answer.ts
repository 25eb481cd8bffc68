// Owns an answer for an agent that hears while it lives: checked against what the agent takes, then stored as an input.
import { tryCommit } from '../../changes/try-commit.ts'
import { HoldfastError } from '../../domain/errors.ts'
import type { Question } from '../../domain/task/question.ts'
import type { Task } from '../../domain/task/task.ts'
import { redactSecrets } from '../../domain/text/redact-secrets.ts'
import type { AgentDriver, Answer } from '../../ports/run/agent-driver.ts'
import { driverOf } from '../../ports/run/driver-of.ts'
import { dialogIn, readingWithoutSecrets } from '../../ports/run/screen.ts'
import type { AuditEntry } from '../../ports/store/audit.ts'
import type { Change } from '../../ports/store/commits.ts'
import type { DeliveryNeeds } from '../needs.ts'

export type Answered = {
  readonly question: Question
  readonly answer: Answer
  readonly by: string
  /** Stored together with the answer. */
  readonly along?: Pick<Change, 'requestKey'>
}

/** False when somebody else has answered first. ANSWER_INVALID when the agent cannot take this answer, NOT_ASKING when it asks something else now. */
export async function queueAnswer(
  task: Task,
  answered: Answered,
  needs: Pick<DeliveryNeeds, 'clock' | 'commit' | 'driver' | 'terminal'>,
): Promise<boolean> {
  const { question, answer, by, along } = answered
  await checkAgentTakes(answer, question, task, needs)
  const at = needs.clock.now()
  const input = { taskId: task.id, number: question.number, ...answer, by, at }
  const audit = auditOfAnswer(task, answered, at)
  return (await tryCommit({ answer: input, audit, ...along }, needs)) !== undefined
}

export const auditOfAnswer = ({ id }: Task, { question, answer, by }: Answered, at: number): AuditEntry => ({
  at,
  kind: 'question_answered',
  taskId: id,
  actor: by,
  detail: `${question.text.slice(0, 200)} → ${redactSecrets(answer.text).slice(0, 200)}`,
})

async function checkAgentTakes(
  answer: Answer,
  question: Question,
  task: Task,
  needs: Pick<DeliveryNeeds, 'driver' | 'terminal'>,
): Promise<void> {
  const driver = driverOf(task, needs)
  if (await agentTakes(answer, question, task, driver, needs)) return
  const options = question.options.map((option, at) => `${at + 1}. ${option}`).join(', ')
  const known = options === '' ? '' : ` (${options})`
  throw new HoldfastError(
    'ANSWER_INVALID',
    `The agent does not take this answer. It asks: ${question.text}${known}`,
  )
}

async function agentTakes(
  answer: Answer,
  { number, ref, text, options }: Question,
  task: Task,
  driver: AgentDriver,
  needs: Pick<DeliveryNeeds, 'terminal'>,
): Promise<boolean> {
  if (ref !== null) return driver.lines!.answer({ ref, question: text, options }, answer) !== null
  const view = await needs.terminal.look(task.id, task.runId!)
  if (view === undefined) return false
  const reading = driver.readScreen(view)
  const shown = dialogIn(readingWithoutSecrets(reading))
  if (shown !== undefined && shown !== text)
    throw new HoldfastError(
      'NOT_ASKING',
      `${task.id} does not ask question ${number} any more: its terminal shows another dialog.`,
    )
  return shown !== undefined && (driver.keys?.choose(reading, answer) ?? null) !== null
}
