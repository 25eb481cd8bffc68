// Owns the guard in front of everything done to a pane.
import { commandLine } from '../program/quote.ts'

/** A target, and the mark its pane must carry. */
export type Marked = { readonly pane: string; readonly mark: string }

/** Pane ids restart with the server, so the mark is checked inside it, in the same breath as the act. */
export const ifMarked = ({ pane, mark }: Marked, ...commands: string[][]) =>
  ifShell(pane, `#{==:#{@hf_run},${mark}}`, commands)

export const ifShell = (pane: string, condition: string, ...branches: string[][][]) => [
  'if-shell',
  '-F',
  '-t',
  pane,
  condition,
  ...branches.map((commands) => commandLine(...commands)),
]
