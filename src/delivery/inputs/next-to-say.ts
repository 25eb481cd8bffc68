// Owns which of the inputs that wait is said next. Pure.
import { isAboutKeptBack } from '../../domain/conversation/holdfast-question.ts'
import type { Input, Question, Task } from '../../domain/task/task.ts'
import type { Recipient } from './recipient.ts'
import { isUnsaid, openTurn } from './said.ts'

/** Answers go at once; a prompt waits for its turn, while a question is open, and until a pause or a limit is over. */
export function nextToSay(
  inputs: readonly Input[],
  open: readonly Question[],
  { task, run }: Recipient,
): Input | undefined {
  const unsaid = inputs.filter(isUnsaid)
  const answer = unsaid.find((input) => input.kind === 'answer' && questionOf(input, open) !== undefined)
  if (answer !== undefined) return answer
  const asks = open.some((question) => !isAboutKeptBack(question))
  if (asks || waitsForTime(task) || openTurn(inputs, run.id) !== undefined) return undefined
  // One that goes on is told so before anything else.
  const first = (...kinds: readonly Input['kind'][]) => unsaid.find(({ kind }) => kinds.includes(kind))
  return first('continuation') ?? first('prompt', 'end')
}

const waitsForTime = ({ phase }: Task) => phase === 'parked' || phase === 'backing_off'

/** An answer to a question that is over is not said any more. */
export const questionOf = ({ question }: Input, open: readonly Question[]) =>
  open.find(({ number }) => number === question)
