import type { PaneId } from '../domain/ids.ts'

export type OpenSpec = {
  /** Session name, already safe (`tmuxSessionName`). */
  readonly name: string
  /** Marks the pane; later commands check it inside the server, because pane ids restart with the server. */
  readonly mark: string
  /** Run directly, without a shell, byte for byte. */
  readonly argv: readonly string[]
  readonly cwd: string
  /** A screen program keeps its size whoever looks; plain output takes the size of whoever looks. Fixed by default. */
  readonly size?: 'fixed' | 'viewer'
}

export type Pane = {
  readonly pane: PaneId
  readonly name: string
  readonly mark: string
  readonly dead: boolean
  readonly pid: number
}

export type TerminalEvent =
  /** One fact, however many panes it held. `deaths` counts those within the window. */
  | { readonly kind: 'server_died'; readonly deaths: number }
  | { readonly kind: 'server_started' }
  /** It died too often: it stays down until a person or a daemon restart says otherwise. */
  | { readonly kind: 'server_given_up'; readonly deaths: number }
  /** It does not answer. It is reported, never killed. */
  | { readonly kind: 'server_hung' }
  | { readonly kind: 'server_answers' }

export type TerminalHealth = 'up' | 'down' | 'hung' | 'given_up'

/** A place where agents run and can be watched. The real one is tmux. */
export interface Terminal {
  /** Throws TMUX_UNAVAILABLE when it is known that nothing was or will be started; LaunchUncertain (below) when it is not known. A name already open with the same mark returns that pane. */
  open(spec: OpenSpec): Promise<PaneId>
  /** Every pane of ours, in one round trip. */
  panes(): Promise<Pane[]>
  /** The visible screen as plain text. Undefined when no pane carries this mark. */
  readScreen(name: string, mark: string): Promise<string | undefined>
  /** Closing what is gone, or what carries another mark, does nothing. */
  close(name: string, mark: string): Promise<void>
  health(): TerminalHealth
  /** Listeners hear every event; the returned function ends it. */
  onEvent(listener: (event: TerminalEvent) => void): () => void
}

/** The command may still be queued in a server that does not answer: only the run's claim can tell. */
export class LaunchUncertain extends Error {}
