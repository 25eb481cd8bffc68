// Owns the reasons why a prompt for an agent's terminal is kept back. Data only. Pure.

export type KeptBack =
  /** The agent's turn is not over: the next prompt waits for its end. */
  | { readonly kind: 'at_work' }
  /** The agent asks something on its screen: typed keys would answer that question. */
  | { readonly kind: 'dialog' }
  /** Somebody looks through the history of the terminal (tmux copy mode): typed keys would not reach the agent. */
  | { readonly kind: 'history' }
  /** Somebody typed in the terminal a moment ago. `until`: epoch ms from which Holdfast may type, if no key follows. */
  | { readonly kind: 'person_types'; readonly lastKeyAt: number; readonly until: number }
  /** The input box holds a text that Holdfast did not type, or that it cannot be sure to have typed. */
  | { readonly kind: 'draft'; readonly text: string }
  /** Holdfast pasted the prompt a moment ago, and looks for it in the input box. */
  | { readonly kind: 'being_typed' }
  /** Holdfast pasted the prompt, but the input box does not show it. */
  | { readonly kind: 'not_drawn' }
  /** Holdfast pasted the prompt, but the input box shows something else. Enter is not pressed. */
  | { readonly kind: 'differs'; readonly shown: string }
  /** Holdfast does not understand what the screen shows, or the screen is empty. */
  | { readonly kind: 'screen_unclear'; readonly shown: string }
  /** The agent is not ready yet. */
  | { readonly kind: 'starting' }
  /** There is no terminal to type into. */
  | { readonly kind: 'no_terminal'; readonly why: NoTerminal }

export type NoTerminal = 'tmux_down' | 'tmux_hung' | 'pane_gone' | 'closed_to_input'

/** `since`: epoch ms. */
export type KeptSince = KeptBack & { readonly since: number }

const PASSING: ReadonlySet<KeptBack['kind']> = new Set(['at_work', 'dialog', 'being_typed'])
/** True for a reason that ends by itself, or about which the agent itself already asks a person. */
export const isPassing = ({ kind }: KeptBack) => PASSING.has(kind)

/** `since` stays the same while the kind of the reason stays the same, even if its details change. */
export const keptSince = (before: KeptSince | null, why: KeptBack, now: number): KeptSince => ({
  ...why,
  since: before?.kind === why.kind ? before.since : now,
})
