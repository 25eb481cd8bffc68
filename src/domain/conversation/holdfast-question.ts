// Owns how questions that Holdfast itself asks are told from those of agents.

/** The ref of a question that Holdfast itself asks: no agent waits for the answer. */
export const HOLDFAST_ASKS = 'holdfast'

/** The ref of one about something that cannot be said. It is tried on meanwhile; once it is said, nothing is asked any more. */
export const KEPT_BACK_ASKS = 'holdfast:kept-back'

type Asked = { readonly ref: string | null }

export const isOwnQuestion = ({ ref }: Asked) => ref === HOLDFAST_ASKS || ref === KEPT_BACK_ASKS

export const isAboutKeptBack = ({ ref }: Asked) => ref === KEPT_BACK_ASKS
