import type { Failure } from '../script/step-table.ts'
import type { AgentEvent } from './events.ts'

/** The output and input of a script that is being played: JSON lines, or a screen. */
export type Stage = {
  emit(event: AgentEvent): void
  /** Asks a question, and resolves with its answer. */
  ask(question: string, options: readonly string[]): Promise<string>
  /** Prints something that no reader expects. */
  garbage(): void
  /** From now on, nothing on the screen changes. */
  freeze(): void
  /** Aborted when a person interrupts the step. */
  readonly signal: AbortSignal
}

/** How a turn ends: with a result, without one, or because a person left. `again`: a resumed session repeats the step. */
export type Ending = { readonly again?: boolean } & (
  | { readonly kind: 'result'; readonly ok: boolean; readonly text: string; readonly failure?: Failure }
  | { readonly kind: 'exit'; readonly code: number }
  | { readonly kind: 'killed'; readonly signal: NodeJS.Signals }
  | { readonly kind: 'left' }
)
