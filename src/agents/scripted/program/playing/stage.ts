import type { Failure } from '../script/step-table.ts'
import type { AgentEvent } from './events.ts'

/** Where a script is played: JSON lines or a screen. */
export type Stage = {
  emit(event: AgentEvent): void
  /** Asks, and resolves with the answer when there is one. */
  ask(question: string, options: readonly string[]): Promise<string>
  /** Something no reader expects. */
  garbage(): void
  /** Nothing that is shown moves any more. */
  freeze(): void
  /** A person interrupts the step. */
  readonly signal: AbortSignal
}

/** How a turn ends: with its own word, without one, or because a person left. `again`: a resumed session meets it anew. */
export type Ending = { readonly again?: boolean } & (
  | { readonly kind: 'result'; readonly ok: boolean; readonly text: string; readonly failure?: Failure }
  | { readonly kind: 'exit'; readonly code: number }
  | { readonly kind: 'killed'; readonly signal: NodeJS.Signals }
  | { readonly kind: 'left' }
)
