// Owns the condition for everything that is done to a pane: it must carry the mark of its run.
import { commandLine } from '../program/quote.ts'

/** A target of tmux, and the mark that its pane must carry. */
export type Marked = { readonly pane: string; readonly mark: string }

/** A new server gives out the same pane ids again, so the server itself checks the mark, in the same command as the act. */
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
