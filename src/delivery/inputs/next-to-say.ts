// Owns which of the waiting inputs is said next. Pure.
import { isAboutKeptBack } from '../../domain/conversation/holdfast-question.ts'
import type { Input } from '../../domain/task/input.ts'
import type { Question } from '../../domain/task/question.ts'
import { isTimed } from '../../domain/task/state.ts'
import type { Recipient } from './recipient.ts'
import { isUnsaid, openTurn } from './said.ts'

/**
 * Answers are said at once. A prompt waits while the turn of an earlier prompt is on, while a question is open (except
 * one about prompts that are kept back), while the task backs off or is parked, and while its
 * thread wakes agents too often.
 */
export function nextToSay(
  inputs: readonly Input[],
  open: readonly Question[],
  { task, run }: Recipient,
): Input | undefined {
  // A run that is to end gets nothing more: its place is taken by one that is told.
  if (task.restart !== null || task.stop !== null) return undefined
  const unsaid = inputs.filter((input) => isUnsaid(input) && input.code !== 'TRIGGER_RATE_LIMITED')
  const answer = unsaid.find((input) => input.kind === 'answer' && questionOf(input, open) !== undefined)
  if (answer !== undefined) return answer
  const asks = open.some((question) => !isAboutKeptBack(question))
  if (asks || isTimed(task) || openTurn(inputs, run.id) !== undefined) return undefined
  // A run that goes on hears its continuation before anything else.
  const first = (...kinds: readonly Input['kind'][]) => unsaid.find(({ kind }) => kinds.includes(kind))
  return first('continuation') ?? first('prompt', 'end')
}

/** The open question that an input answers. Undefined when the question is settled: its answer is not said any more. */
export const questionOf = ({ question }: Input, open: readonly Question[]) =>
  open.find(({ number }) => number === question)
