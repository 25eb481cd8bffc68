// Owns the answers that this page gave, until the ledger shows that the dialog closed and a person has seen it.
import type { OpenQuestionJson } from '../../../../src/protocol/json/recovery-json.ts'
import { order, Refused } from '../connection/call.ts'
import { listen } from '../connection/live.ts'
import { createSignal } from '../signal.ts'
import { draftTaken } from './drafts.ts'

/** `stored`: it is on its way to the agent. `closed`: the agent took it, by the daemon's ledger. */
export type GivenAnswer = {
  readonly question: OpenQuestionJson
  readonly title: string
  /** In words. */
  readonly answer: string
  readonly state: 'sending' | 'stored' | 'closed' | 'refused'
  readonly refused?: Refused
}

/** By `answerKey`. */
export const givenAnswers = createSignal<ReadonlyMap<string, GivenAnswer>>(new Map())

type Asked = Pick<OpenQuestionJson, 'session_id' | 'number'>
export const answerKey = ({ session_id, number }: Asked) => `${session_id} ${number}`

/** Answers to questions of a task that it does not ask any more. */
export const answersToClosed = (
  given: Iterable<GivenAnswer>,
  id: string,
  open: readonly Pick<OpenQuestionJson, 'number'>[],
): GivenAnswer[] =>
  [...given].filter(
    ({ question }) => question.session_id === id && !open.some(({ number }) => number === question.number),
  )

/** How long a closed dialog is shown before it goes by itself. */
const SHOWN_MS = 15_000

/** `choice`: the number of an option, from 1, or words. */
export async function giveAnswer(question: OpenQuestionJson, title: string, choice: string): Promise<void> {
  const given = { question, title, answer: question.options[Number(choice) - 1] ?? choice }
  put({ ...given, state: 'sending' })
  try {
    const { session_id: id, number } = question
    const { settled, answer } = await order('POST /api/tasks/:id/answer', {
      id,
      body: { choice, question: number },
    })
    draftTaken(answerKey(question), choice)
    put({ ...given, answer, state: settled ? 'closed' : 'stored' })
  } catch (refused) {
    if (!(refused instanceof Refused)) throw refused
    put({ ...given, state: 'refused', refused })
  }
}

export function forgetAnswer(question: Asked): void {
  const left = new Map(givenAnswers.get())
  left.delete(answerKey(question))
  givenAnswers.set(left)
}

function put(given: GivenAnswer): void {
  givenAnswers.set(new Map(givenAnswers.get()).set(answerKey(given.question), given))
  if (given.state === 'closed') setTimeout(() => forgetAnswer(given.question), SHOWN_MS)
}

/** Moves of a task that show that it no longer waits for the answer. */
const WENT_ON = new Set(['task_question_settled', 'task_turn_began', 'task_turn_finished', 'task_completed'])

/** An answer that was only stored is followed until the ledger says that the agent went on. */
export const followAnswers = () =>
  listen({
    event: ({ kind, task }) => {
      if (!WENT_ON.has(kind)) return
      for (const given of givenAnswers.get().values())
        if (given.question.session_id === task && given.state === 'stored') put({ ...given, state: 'closed' })
    },
    missed: () => {},
  })
