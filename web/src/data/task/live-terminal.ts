// Owns the live terminal on the page: the connection is that of the client, here are the words for its end.
import type { TerminalState as ClientState } from '../../../../src/client/terminal.ts'
import { client } from '../connection/call.ts'

type Refusal = { readonly message: string; readonly hint: string }

export type TerminalState =
  | { readonly kind: 'connecting' }
  | { readonly kind: 'live'; readonly typing: boolean }
  /** It broke, and is tried again. */
  | { readonly kind: 'cut_off' }
  /** There is none, and why. */
  | { readonly kind: 'refused'; readonly refused: Refusal }

export type TerminalEvents = {
  readonly onState: (state: TerminalState) => void
  readonly onSize: (columns: number, rows: number, statusLines: number) => void
  readonly onBytes: (bytes: Uint8Array) => void
}

const ENDS: Readonly<Record<'gone' | 'not_allowed' | 'slow', Refusal>> = {
  gone: { message: 'The terminal was closed.', hint: 'Below is what it showed last.' },
  not_allowed: { message: 'You are not logged in any more.', hint: '' },
  slow: {
    message: 'The connection was too slow for the terminal.',
    hint: 'The screen as text needs much less.',
  },
}

export const connectTerminal = (id: string, typing: boolean, { onState, ...events }: TerminalEvents) =>
  client.terminal(id, { ...events, typing, onState: (state) => onState(shown(state)) })

function shown(state: ClientState): TerminalState {
  if (state.kind === 'lost') return { kind: 'cut_off' }
  if (state.kind === 'over') return { kind: 'refused', refused: ENDS[state.why] }
  return state.kind === 'refused' ? { kind: 'refused', refused: state.error } : state
}
