// Owns how to tell a question that Holdfast itself asks from the question of an agent.
import type { AskedBy } from '../task/question.ts'

/** The ref of a question that Holdfast itself asks: no agent waits for the answer. */
export const HOLDFAST_ASKS = 'holdfast'

/**
 * The ref of a question that Holdfast asks about a prompt that is kept back. Holdfast keeps trying to say the prompt
 * while it asks; once the prompt is said, the question is settled.
 */
export const KEPT_BACK_ASKS = 'holdfast:kept-back'

type Asked = { readonly ref: string | null }

export const isOwnQuestion = ({ ref }: Asked) => ref === HOLDFAST_ASKS || ref === KEPT_BACK_ASKS

export const askedBy = (question: Asked): AskedBy => (isOwnQuestion(question) ? 'holdfast' : 'agent')

export const isAboutKeptBack = ({ ref }: Asked) => ref === KEPT_BACK_ASKS
