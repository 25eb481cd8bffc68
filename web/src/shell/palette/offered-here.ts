// Owns what the palette offers for a task: the orders of its buttons, answers to what it asks, and a prompt. Pure.
import type { OpenQuestionJson } from '../../../../src/protocol/json/recovery-json.ts'
import type { TaskDetailJson } from '../../../../src/protocol/json/task-json.ts'
import { answersTo, type Offered, ordersFor, takesOptions } from '../../words/offered.ts'
import { hasEnded } from '../../words/state.ts'

/** What of a task can be seen where the palette was opened. */
export type Sight = {
  /** Numbers of the questions that can be read there: none is answered unseen. */
  readonly seen: ReadonlySet<number>
  /** Its own screen is shown. */
  readonly isItsScreen: boolean
}

/** `path`: it is done on the task's own screen. */
export type Here = { readonly id: string; readonly words: string } & (
  | { readonly offered: Offered }
  | { readonly path: string }
)

/** `awaits`: whether a question still waits for an answer from here. */
export function offeredHere(
  task: TaskDetailJson,
  { seen, isItsScreen }: Sight,
  awaits: (question: OpenQuestionJson) => boolean,
): Here[] {
  const { session_id, agent, title } = task
  const isAsked = !hasEnded(task) && task.next.kind !== 'takes_answer'
  const open = (isAsked ? task.questions : [])
    .map((question) => ({ ...question, session_id, agent }))
    .filter(awaits)
  const answers = open
    .filter(({ number }) => seen.has(number))
    .flatMap((question) =>
      answersTo(question, title).map((offered, index) => answer(question, offered, index)),
    )
  const isUnread = open.some(({ number }) => !seen.has(number))
  return [
    ...answers,
    ...(isUnread ? [{ id: 'read', words: 'Answer what it asks', path: `/tasks/${session_id}` }] : []),
    ...(task.takes_prompts && !isItsScreen
      ? [{ id: 'prompt', words: 'Send a prompt', path: `/tasks/${session_id}#send` }]
      : []),
    ...ordersFor(task).map((offered) => ({ id: `order ${offered.words}`, words: offered.words, offered })),
  ]
}

/** A way on for the task says by itself what it is. */
const answer = (question: OpenQuestionJson, offered: Offered, index: number): Here => ({
  id: `answer ${question.number} ${index + 1}`,
  words:
    question.asked_by === 'agent' && takesOptions(question)
      ? `Answer ${index + 1}: ${offered.words}`
      : offered.words,
  offered,
})
