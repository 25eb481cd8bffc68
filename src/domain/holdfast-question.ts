/** The ref of a question that Holdfast itself asks: no agent waits for the answer. */
export const HOLDFAST_ASKS = 'holdfast'
