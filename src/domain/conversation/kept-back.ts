// Owns why something that is to be said to an agent in its terminal is not said yet. Data alone. Pure.

export type KeptBack =
  /** Its turn is on: the next prompt waits for the end of it. */
  | { readonly kind: 'at_work' }
  /** It asks something on its screen: keys would answer that. */
  | { readonly kind: 'dialog' }
  /** Somebody looks through the history of its terminal (copy mode): keys would go there. */
  | { readonly kind: 'history' }
  /** Somebody typed in its terminal a moment ago; `until`: when that is long enough ago. */
  | { readonly kind: 'person_types'; readonly lastKeyAt: number; readonly until: number }
  /** Its box holds a text that is not ours, or not certainly ours. */
  | { readonly kind: 'draft'; readonly text: string }
  /** Ours was pasted a moment ago, and is looked for in the box. */
  | { readonly kind: 'being_typed' }
  /** Ours was pasted, and is not to be seen in the box. */
  | { readonly kind: 'not_drawn' }
  /** Ours was pasted, and the box holds something else. It is not entered. */
  | { readonly kind: 'differs'; readonly shown: string }
  /** What its screen shows is not understood, or nothing is on it. */
  | { readonly kind: 'screen_unclear'; readonly shown: string }
  /** The agent is not ready yet. */
  | { readonly kind: 'starting' }
  /** There is no terminal to type into. */
  | { readonly kind: 'no_terminal'; readonly why: NoTerminal }

export type NoTerminal = 'tmux_down' | 'tmux_hung' | 'pane_gone' | 'closed_to_input'

export type KeptSince = KeptBack & { readonly since: number }

const PASSING: ReadonlySet<KeptBack['kind']> = new Set(['at_work', 'dialog', 'being_typed'])
/** It ends by itself, or is asked about already. */
export const isPassing = ({ kind }: KeptBack) => PASSING.has(kind)

/** A reason that stays keeps its beginning, also where its details change. */
export const keptSince = (before: KeptSince | null, why: KeptBack, now: number): KeptSince => ({
  ...why,
  since: before?.kind === why.kind ? before.since : now,
})
