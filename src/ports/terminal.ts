import type { PaneId } from '../domain/names/ids.ts'
import type { Place } from '../domain/runtime/names.ts'
import type { ProcessIdentity } from './processes.ts'
import type { ScreenView } from './screen.ts'

export type OpenSpec = {
  readonly task: string
  /** Marks the pane; later commands check it inside the server, because pane ids restart with the server. */
  readonly mark: string
  /** Run directly, without a shell, byte for byte. */
  readonly argv: readonly string[]
  readonly cwd: string
  /** A screen program keeps its size whoever looks; plain output takes the size of whoever looks. Fixed by default. */
  readonly size?: 'fixed' | 'viewer'
  /** A window of a session that it shares with others, instead of a session of its own. */
  readonly place?: Place
}

export type Pane = {
  readonly pane: PaneId
  /** As `sessionName` tells it. */
  readonly session: string
  readonly mark: string
  readonly dead: boolean
  readonly pid: number
  /** When its window last showed something new; whole seconds since 1970. */
  readonly activeAt: number
  /** Somebody has its session in front of them. */
  readonly attached: boolean
}

/** A pane's screen, with all that typing into it depends on. */
export type PaneView = Required<ScreenView> & {
  readonly dead: boolean
  /** A person looks through its history: keys would go there. */
  readonly inMode: boolean
  /** The tags of what was last pasted, last pressed and last taken out again. */
  readonly pasted: string
  readonly pressed: string
  readonly cleared: string
  /** What was noted with the last paste. */
  readonly note: string
  /** Since somebody at a terminal that shows this pane last pressed a key; null when nobody is there who can type. Whole seconds. */
  readonly keyAgeMs: number | null
  /** Another one with every key of anybody attached, and whenever somebody comes or goes. */
  readonly stir: string
}

/** What a look saw, and what must still be so when something is typed: nobody pressed a key, and the cursor did not move. */
export type AsSeen = Pick<PaneView, 'stir'> & Partial<Pick<PaneView, 'cursor'>>

/** `already`: what carries this tag was typed before. `refused`: nothing was typed, because the pane is dead, not ours, in its history, closed to input, or not as it was seen. */
export type Typed = 'done' | 'already' | 'refused'

export type TerminalEvent =
  /** One fact, however many panes it held. `deaths` counts those within the window. */
  | { readonly kind: 'server_died'; readonly deaths: number }
  | { readonly kind: 'server_started' }
  /** It died too often: it stays down for a while, or until a person says otherwise. */
  | { readonly kind: 'server_given_up'; readonly deaths: number; readonly retryAt: number }
  /** It could not be started at all, or tmux is not there. It is tried again and again. */
  | { readonly kind: 'server_unavailable'; readonly why: string }
  /** It does not answer. It is reported, never killed. */
  | { readonly kind: 'server_hung' }
  | { readonly kind: 'server_answers' }

/** `missing`: there is no tmux, or none that is new enough. */
export type TerminalHealth = 'up' | 'down' | 'hung' | 'given_up' | 'missing'

/** Why no terminal can be opened now. */
export type Outage = {
  readonly health: Exclude<TerminalHealth, 'up'>
  /** In plain words. */
  readonly why: string
  readonly since: number
  /** The process of a server that hangs, where it is known. */
  readonly pid: number | null
  /** When it is tried again by itself; null when that goes on all the time, or nothing of ours would help. */
  readonly retryAt: number | null
}

/** A place where agents run and can be watched. The real one is tmux. A session in it is named by its task's id, or by a place that the task was given; a pane is found by its mark. */
export interface Terminal {
  /** What people call the session of a task there. INVALID_NAME for what cannot be the id of a task. */
  sessionName(task: string, place?: Place): string
  /** Throws TMUX_UNAVAILABLE when it is known that nothing was or will be started; LaunchUncertain (below) when it is not known. A task's session or place already open with the same mark returns that pane. The session of a place is made when it is not there, and stays. */
  open(spec: OpenSpec): Promise<PaneId>
  /** Every pane of ours, in one round trip. */
  panes(): Promise<Pane[]>
  /** The visible screen as plain text. Undefined when no pane carries this mark. */
  readScreen(task: string, mark: string): Promise<string | undefined>
  /** The same with title, cursor and what typing depends on, in one round trip. */
  look(task: string, mark: string): Promise<PaneView | undefined>
  /** Pastes a text as it is, bracketed where the program asked for it. Once per tag, also after a crash: the tag, and the note, are kept in the pane by the same command. Throws TMUX_UNAVAILABLE when it is not known whether it was typed; asking again with the same tag tells. */
  paste(
    task: string,
    mark: string,
    tag: string,
    text: string,
    seen?: AsSeen & { readonly note?: string },
  ): Promise<Typed>
  /** Presses keys, as tmux names them. Once per tag. */
  press(task: string, mark: string, tag: string, keys: readonly string[], seen?: AsSeen): Promise<Typed>
  /** Presses the keys that take out again what was pasted with this tag. Once per tag. */
  clear(task: string, mark: string, tag: string, keys: readonly string[], seen: AsSeen): Promise<Typed>
  /** Closing what is gone, or what carries another mark, does nothing. Of a place only its window is closed. */
  close(task: string, mark: string): Promise<void>
  health(): TerminalHealth
  /** Null when terminals can be opened. */
  outage(): Outage | null
  /** Tries now what is tried again later anyway. Waits a moment for how it goes. */
  tryNow(): Promise<void>
  /** The server's process; undefined when there is none. */
  server(): ProcessIdentity | undefined
  /** Listeners hear every event; the returned function ends it. */
  onEvent(listener: (event: TerminalEvent) => void): () => void
}

/** The command may still be queued in a server that does not answer: only the run's claim can tell. */
export class LaunchUncertain extends Error {}
