// Owns the guard in front of everything done to a pane.
import type { Pane } from '../ports/terminal.ts'
import { commandLine } from './quote.ts'

/** Pane ids restart with the server, so the mark is checked inside it, in the same breath as the act. */
export const ifMarked = ({ pane, mark }: Pick<Pane, 'pane' | 'mark'>, ...commands: string[][]) => [
  'if-shell',
  '-F',
  '-t',
  pane,
  `#{==:#{@hf_run},${mark}}`,
  commandLine(...commands),
]
