// Owns the error that callers get when tmux cannot be used.
import { HoldfastError } from '../../domain/errors.ts'
import type { TerminalHealth } from '../../ports/run/terminal.ts'
import { DEATHS_TO_GIVE_UP } from './server-deaths.ts'

export const OUTAGE_WORDS: Record<TerminalHealth, string> = {
  up: 'The connection to the tmux server was lost.',
  down: 'There is no connection to the tmux server.',
  hung: 'The tmux server does not answer.',
  given_up: `The tmux server died ${DEATHS_TO_GIVE_UP} times within ten minutes; Holdfast waits before it starts tmux again.`,
  missing: 'There is no tmux that can be used.',
}

export const unavailable = (health: TerminalHealth) =>
  new HoldfastError('TMUX_UNAVAILABLE', OUTAGE_WORDS[health])
