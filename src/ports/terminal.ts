import type { PaneId } from '../domain/ids.ts'
import type { ProcessIdentity } from './processes.ts'
import type { ScreenView } from './screen.ts'

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
  /** When its window last showed something new; whole seconds since 1970. */
  readonly activeAt: number
}

/** A pane's screen, with all that typing into it depends on. */
export type PaneView = Required<ScreenView> & {
  readonly dead: boolean
  /** A person looks through its history: keys would go there. */
  readonly inMode: boolean
  /** The tags of what was last pasted and last pressed. */
  readonly pasted: string
  readonly pressed: string
}

/** `already`: what carries this tag was typed before. `refused`: nothing was typed, because the pane is dead, not ours, in its history, or closed to input. */
export type Typed = 'done' | 'already' | 'refused'

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
  /** The same with title, cursor and what typing depends on, in one round trip. */
  look(name: string, mark: string): Promise<PaneView | undefined>
  /** Pastes a text as it is, bracketed where the program asked for it. Once per tag, also after a crash: the tag is kept in the pane by the same command. Throws TMUX_UNAVAILABLE when it is not known whether it was typed; asking again with the same tag tells. */
  paste(name: string, mark: string, tag: string, text: string): Promise<Typed>
  /** Presses keys, as tmux names them. Once per tag. */
  press(name: string, mark: string, tag: string, keys: readonly string[]): Promise<Typed>
  /** Closing what is gone, or what carries another mark, does nothing. */
  close(name: string, mark: string): Promise<void>
  health(): TerminalHealth
  /** The server's process; undefined when there is none. */
  server(): ProcessIdentity | undefined
  /** Listeners hear every event; the returned function ends it. */
  onEvent(listener: (event: TerminalEvent) => void): () => void
}

/** The command may still be queued in a server that does not answer: only the run's claim can tell. */
export class LaunchUncertain extends Error {}
