// Owns what the core asks of the terminal in which runs can be watched and typed into. The real one is tmux.
import type { PaneId } from '../../domain/names/ids.ts'
import type { Place } from '../../domain/runtime/names.ts'
import type { ProcessIdentity } from './processes.ts'
import type { ScreenView } from './screen.ts'

export type OpenSpec = {
  readonly task: string
  /**
   * Marks the pane. The tmux server checks the mark at each command, because a new server uses the same pane ids again.
   */
  readonly mark: string
  /** Run without a shell; each argument arrives unchanged. */
  readonly argv: readonly string[]
  readonly cwd: string
  /**
   * `fixed` (the default): for a TUI, the same size whoever looks. `viewer`: for plain output, the size of whoever
   * looks.
   */
  readonly size?: 'fixed' | 'viewer'
  /** A window of a session that it shares with others, instead of a session of its own. */
  readonly place?: Place
}

export type Pane = {
  readonly pane: PaneId
  /** The name that `sessionName` gives. */
  readonly session: string
  readonly mark: string
  readonly dead: boolean
  readonly pid: number
  /** Epoch seconds (whole) at which the window last showed something new. */
  readonly activeAt: number
  /** Somebody has its session in front of them. */
  readonly attached: boolean
  /** The name of its window, its number there, and how many panes are there. */
  readonly window: string
  readonly index: number
  readonly panesInWindow: number
  /** Cursor, length of the history, and keys, as one text. It stays the same while a program only draws a detail anew, such as a clock. */
  readonly outline: string
}

/** Somebody whose keys reach a pane: a terminal that shows it. */
export type Typist = {
  /** The device of their terminal, as `/dev/pts/3`. */
  readonly tty: string
  /** Who runs that terminal; null when tmux does not say. */
  readonly user: string | null
  /** Epoch ms (whole seconds) since when it is attached. */
  readonly attachedAt: number
  /** Ms since their last key, in steps of a second. */
  readonly keyAgeMs: number
}

/** A pane's screen, with everything that typing into it depends on. */
export type PaneView = Required<ScreenView> & {
  readonly dead: boolean
  /** A person looks through the pane's history (copy mode): keys would go there, and not to the program. */
  readonly inMode: boolean
  /** The tags of the last `paste`, `press` and `clear`. */
  readonly pasted: string
  readonly pressed: string
  readonly cleared: string
  /** The note of the last paste. */
  readonly note: string
  /**
   * Ms since the last key at a terminal that shows this pane, in steps of a second. Null when nobody who could type is
   * attached.
   */
  readonly keyAgeMs: number | null
  /** All who are attached, show this pane and could type. */
  readonly typists: readonly Typist[]
  /** A text that changes with every key of anybody attached, and whenever somebody attaches or detaches. */
  readonly stir: string
}

/**
 * What must be the same as at the last look when something is typed: nobody pressed a key, and the cursor did not move.
 */
export type AsSeen = Pick<PaneView, 'stir'> & Partial<Pick<PaneView, 'cursor'>>

/**
 * `already`: something with this tag was typed before. `refused`: nothing was typed, because the pane is dead, not
 * ours, in copy mode, closed to input, or not as it was seen.
 */
export type Typed = 'done' | 'already' | 'refused'

export type TerminalEvent =
  /** One event, however many panes the server had. `deaths`: how often it has died lately. */
  | { readonly kind: 'server_died'; readonly deaths: number }
  | { readonly kind: 'server_started' }
  /** The server died too often. It is started again at `retryAt` (epoch ms), or when a person asks for it. */
  | { readonly kind: 'server_given_up'; readonly deaths: number; readonly retryAt: number }
  /** The server could not be started, or tmux is missing. Starting it is tried again and again. */
  | { readonly kind: 'server_unavailable'; readonly why: string }
  /** The server does not answer. A hung server is reported, never killed. */
  | { readonly kind: 'server_hung' }
  | { readonly kind: 'server_answers' }

/** `missing`: tmux is not installed, or too old. */
export type TerminalHealth = 'up' | 'down' | 'hung' | 'given_up' | 'missing'

/** Why no terminal can be opened now. */
export type Outage = {
  readonly health: Exclude<TerminalHealth, 'up'>
  /** In plain words. */
  readonly why: string
  /** Epoch ms. */
  readonly since: number
  /** The process of a server that hangs, if it is known. */
  readonly pid: number | null
  /** Epoch ms of the next try. Null when it is tried all the time, or when Holdfast cannot help it. */
  readonly retryAt: number | null
}

/**
 * A place where agents run and can be watched: tmux. A session is found by the id of its task, or by the place that the
 * task was given; a pane by its mark.
 */
export interface Terminal {
  /** The name of a task's tmux session. INVALID_NAME when `task` cannot be the id of a task. */
  sessionName(task: string, place?: Place): string
  /**
   * Throws TMUX_UNAVAILABLE when it is certain that nothing was or will be started, and LaunchUncertain (below) when that
   * is not certain. If the task's session or place is already open with the same mark, returns its pane. The session of a
   * place is made when it is not there, and stays.
   */
  open(spec: OpenSpec): Promise<PaneId>
  /** All panes that carry a mark, in one round trip. */
  panes(): Promise<Pane[]>
  /** The visible screen as plain text. Undefined when no pane carries this mark. */
  readScreen(task: string, mark: string): Promise<string | undefined>
  /**
   * The screen with title, cursor and what typing depends on, in one round trip. Undefined when no pane carries this
   * mark.
   */
  look(task: string, mark: string): Promise<PaneView | undefined>
  /**
   * Pastes a text unchanged (as a bracketed paste if the program asked for that). Once per tag, also after a crash: the
   * same command keeps the tag and the note in the pane. Throws TMUX_UNAVAILABLE when it is not certain whether the
   * text was typed; a second call with the same tag finds out.
   */
  paste(
    task: string,
    mark: string,
    tag: string,
    text: string,
    seen?: AsSeen & { readonly note?: string },
  ): Promise<Typed>
  /** Presses keys, named as in tmux. Once per tag. */
  press(task: string, mark: string, tag: string, keys: readonly string[], seen?: AsSeen): Promise<Typed>
  /**
   * Presses keys that a person asked for from elsewhere. Once per tag in a row; the tags of prompts and answers stay, so
   * that none of those is typed again because of it.
   */
  pressForPerson(task: string, mark: string, tag: string, keys: readonly string[]): Promise<Typed>
  /** Presses the keys that take out of the box what was pasted with this tag. Once per tag. */
  clear(task: string, mark: string, tag: string, keys: readonly string[], seen: AsSeen): Promise<Typed>
  /** Does nothing when the pane is gone or carries another mark. Of a place, only the window is closed. */
  close(task: string, mark: string): Promise<void>
  /**
   * Brings a pane back to its place: its window is renamed or moved, or the pane gets a window of its own again. False when
   * that cannot be done: something else has the place, or the pane is gone.
   */
  putInPlace(pane: Pane, place: Place): Promise<boolean>
  /**
   * Closes the sessions of places in which nothing is left that anybody put there, except the named ones. A session that
   * somebody is attached to, or in which a person has a window or pane of their own, stays: how many of them.
   */
  closeEmptySessions(except: ReadonlySet<string>): Promise<number>
  health(): TerminalHealth
  /** Null when terminals can be opened. */
  outage(): Outage | null
  /** Tries at once to reach or start the server, instead of at the next planned time. Waits a moment for the outcome. */
  tryNow(): Promise<void>
  /** The process of the tmux server; undefined when there is none. */
  server(): ProcessIdentity | undefined
  /** The listener is called within a second or so after the outline of some pane has changed, as far as tmux tells it. */
  onOutlines(listener: () => void): () => void
  /** The listener hears every event, until the returned function is called. */
  onEvent(listener: (event: TerminalEvent) => void): () => void
}

/**
 * The command may still be queued in a server that does not answer. Only the run's claim shows whether the run started.
 */
export class LaunchUncertain extends Error {}
