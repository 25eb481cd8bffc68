// Owns what is known of the tools that a run was given: the same words in its note on disk and in JSON. Pure.

/** `unknown`: they were given, and nobody has heard of them yet. `absent`: the agent works without them. */
export type BridgeNote = 'up' | 'absent' | 'unknown'

export const asBridgeNote = (text: string): BridgeNote | undefined =>
  (['up', 'absent', 'unknown'] as const).find((note) => note === text.trim())

/** Longer than an agent waits for its tools before it begins without them: 30 seconds at most. */
const TOOLS_SHOULD_BE_UP_MS = 60_000

/** An agent that has got something done has started all that it was given, or goes on without. */
export const isWithoutTools = (run: { readonly tools: number; readonly progress: number }, livedMs: number) =>
  livedMs >= TOOLS_SHOULD_BE_UP_MS && run.tools + run.progress > 0
