// Owns the answers that this page gave, until the ledger shows that the dialog closed and a person has seen it.
import type { OpenQuestionJson } from '../../../../src/protocol/json/recovery-json.ts'
import { call, orderAs, Refused } from '../connection/call.ts'
import { listen } from '../connection/live.ts'
import { createSignal } from '../signal.ts'
import { type AnswerOutcome, outcomeByEvent, outcomeByTask } from './answer-outcome.ts'
import { draftKey, draftTaken } from './drafts.ts'

/** `stored`: it is on its way to the agent. The others come from the daemon's ledger. */
export type GivenAnswer = {
  readonly question: OpenQuestionJson
  readonly title: string
  /** In words. */
  readonly answer: string
  readonly state: 'sending' | 'stored' | 'refused' | AnswerOutcome
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

/** Nobody has answered it here, or that was refused. */
export const awaitsAnswer = (given: Pick<GivenAnswer, 'state'> | undefined) =>
  given === undefined || given.state === 'refused'

/** How long an answer whose outcome is known is shown before it goes by itself. */
const SHOWN_MS = 15_000

/** `choice`: the number of an option, from 1, or words. */
export async function giveAnswer(question: OpenQuestionJson, title: string, choice: string): Promise<void> {
  const given = { question, title, answer: question.options[Number(choice) - 1] ?? choice }
  put({ ...given, state: 'sending' })
  try {
    const { session_id: id, number } = question
    const body = { choice, question: number }
    const give = orderAs(draftKey(answerKey(question), body))
    const { settled, answer } = await give('POST /api/tasks/:id/answer', { id, body })
    draftTaken(answerKey(question), choice)
    const taken = { ...given, answer }
    put({ ...taken, state: settled ? 'closed' : 'stored' })
    // The event that says more may have come before this answer did.
    if (!settled) await lookAfter(taken)
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
  if (given.state === 'closed' || given.state === 'ended')
    setTimeout(() => forgetAnswer(given.question), SHOWN_MS)
}

/** Unless a person has put it away, or its outcome is known already. */
function settle(question: Asked, outcome: AnswerOutcome | undefined): void {
  const given = givenAnswers.get().get(answerKey(question))
  if (outcome !== undefined && given?.state === 'stored') put({ ...given, state: outcome })
}

/** Asks for its task what became of an answer. */
async function lookAfter({ question }: Pick<GivenAnswer, 'question'>): Promise<void> {
  try {
    settle(
      question,
      outcomeByTask(await call('GET /api/tasks/:id', { id: question.session_id }), question.number),
    )
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    if (error.status === 404) settle(question, 'ended')
  }
}

const stored = () => [...givenAnswers.get().values()].filter(({ state }) => state === 'stored')

/** An answer that was only stored is followed until its outcome is known. */
export const followAnswers = () =>
  listen({
    event: ({ kind, task }) => {
      for (const { question } of stored())
        if (question.session_id === task) settle(question, outcomeByEvent(kind))
    },
    missed: () => {
      for (const given of stored()) void lookAfter(given)
    },
  })
