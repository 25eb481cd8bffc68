// Owns in what ways the registry and tmux may disagree about a runtime, and what each is called. Pure.
import type { Place } from './names.ts'

/** Two panes with one mark do not come about in tmux: it copies no option of a pane to another. */
export type Drift = 'pane_gone' | 'pane_misplaced' | 'task_gone'

type Seen = {
  readonly session: string
  readonly window: string
  readonly index: number
}

export const DRIFT_WORDS: Readonly<Record<Drift, string>> = {
  pane_gone: 'its pane is gone, though nobody of us closed it',
  pane_misplaced: 'its pane is not in its window',
  task_gone: 'its task is not in the store',
}

/** Where it is instead; null when it is where the registry has it. */
export function whereInstead(
  { session, window, index }: Seen,
  { session: own, window: ownWindow }: Place,
): string | null {
  if (session !== own) return `in session ${session}`
  if (window !== ownWindow) return `in window ${window}`
  return index === 0 ? null : `pane ${index} of its window`
}
