// Owns the live terminal of a session: asked for first, because a browser hides why a WebSocket was refused; then opened,
// and opened again when it breaks.
import type { TerminalMessage } from '../protocol/json/terminal-json.ts'
import { ApiError } from './api-error.ts'

export type TerminalState =
  | { readonly kind: 'connecting' }
  | { readonly kind: 'live'; readonly typing: boolean }
  /** The connection broke, and is tried again; from then on it only looks. */
  | { readonly kind: 'lost' }
  /** The daemon ended it, for good: the pane is closed, the caller may not look any more, or reads too slowly. */
  | { readonly kind: 'over'; readonly why: 'gone' | 'not_allowed' | 'slow' }
  /** There is none, and why. */
  | { readonly kind: 'refused'; readonly error: ApiError }

export type TerminalOptions = {
  /** For a terminal emulator, such as xterm.js. */
  readonly onBytes: (bytes: Uint8Array) => void
  /**
   * At the beginning, and after each change. It is the size of the agent's pane, which no viewer changes, with tmux's own
   * lines below it: the last `statusLines` of the rows.
   */
  readonly onSize?: (columns: number, rows: number, statusLines: number) => void
  readonly onState?: (state: TerminalState) => void
  /** True: it takes keys from the beginning. */
  readonly typing?: boolean
}

export type LiveTerminal = {
  /** Dropped unless typing is on and the terminal is live. */
  readonly type: (text: string) => void
  /** Switches typing on or off. Who switched it on is in the audit. */
  readonly setTyping: (on: boolean) => void
  readonly close: () => void
}

/** As much of a WebSocket as is used here: that of a browser, or one of Node. */
export type TerminalSocket = {
  binaryType: string
  readonly readyState: number
  onmessage: ((message: { readonly data: unknown }) => void) | null
  onclose: ((end: { readonly code: number }) => void) | null
  onerror: (() => void) | null
  send(bytes: Uint8Array): void
  close(): void
}

/** As `new WebSocket`, with a path instead of a URL. */
export type OpenSocket = (path: string) => TerminalSocket | Promise<TerminalSocket>

type Needs = {
  readonly ask: (path: string) => Promise<unknown>
  readonly openSocket: OpenSocket
}

const OPEN = 1
const FIRST_PAUSE_MS = 500
const LONGEST_PAUSE_MS = 10_000
/** The daemon takes 64 KB at once. */
const MOST_BYTES = 32 * 1024
/** By the code of the WebSocket's end; all others are connections that broke. */
const ENDS: Readonly<Record<number, 'gone' | 'not_allowed' | 'slow'>> = {
  1000: 'gone',
  1008: 'not_allowed',
  1013: 'slow',
}

/** Typing ends with a connection that breaks: whoever types sees first what there is to type into. */
export function openTerminal(id: string, options: TerminalOptions, { ask, openSocket }: Needs): LiveTerminal {
  const { onBytes, onSize, onState } = options
  const path = `/api/tasks/${encodeURIComponent(id)}/terminal`
  let socket: TerminalSocket | undefined
  let wantsTyping = options.typing ?? false
  let pauseMs = FIRST_PAUSE_MS
  let timer: ReturnType<typeof setTimeout> | undefined
  /** Counts the connections: an older one says nothing any more. */
  let current = 0
  let isClosed = false
  let isLive = false

  const leave = () => {
    current += 1
    clearTimeout(timer)
    socket?.close()
    socket = undefined
    isLive = false
  }

  const again = () => {
    onState?.({ kind: 'lost' })
    wantsTyping = false
    timer = setTimeout(() => void open(), pauseMs)
    pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)
  }

  async function open(): Promise<void> {
    leave()
    const mine = current
    const typing = wantsTyping
    try {
      await ask(path)
      const opened = await openSocket(typing ? `${path}?typing=1` : path)
      if (mine !== current) return opened.close()
      socket = opened
      listen(opened, mine, typing)
    } catch (error) {
      if (mine !== current) return
      const refused = error instanceof ApiError ? error : failed(error)
      if (refused.status === 0) again()
      else onState?.({ kind: 'refused', error: refused })
    }
  }

  function listen(opened: TerminalSocket, mine: number, typing: boolean): void {
    opened.binaryType = 'arraybuffer'
    // Not when the connection is open: keys that come before the terminal is drawn are lost.
    const beLive = () => {
      if (isLive) return
      isLive = true
      pauseMs = FIRST_PAUSE_MS
      onState?.({ kind: 'live', typing })
    }
    opened.onmessage = ({ data }) => {
      if (mine !== current) return
      if (typeof data === 'string') {
        const told = JSON.parse(data) as TerminalMessage
        if (told.type === 'size') onSize?.(told.columns, told.rows, told.status_lines)
        return
      }
      beLive()
      onBytes(new Uint8Array(data as ArrayBuffer))
    }
    // What is wrong with a connection shows in its end.
    opened.onerror = () => {}
    opened.onclose = ({ code }) => {
      if (mine !== current) return
      const why = ENDS[code]
      if (why === undefined) again()
      else onState?.({ kind: 'over', why })
    }
  }

  onState?.({ kind: 'connecting' })
  void open()
  return {
    type(text) {
      if (!wantsTyping || !isLive || socket?.readyState !== OPEN) return
      for (const part of partsOf(text)) socket.send(part)
    },
    setTyping(on) {
      if (isClosed || on === wantsTyping) return
      wantsTyping = on
      void open()
    },
    close() {
      isClosed = true
      leave()
    },
  }
}

const failed = (cause: unknown) =>
  new ApiError({ code: 'INTERNAL', message: 'The terminal could not be opened.', status: 500, cause })

function* partsOf(text: string): Generator<Uint8Array> {
  const bytes = new TextEncoder().encode(text)
  for (let at = 0; at < bytes.length; at += MOST_BYTES) yield bytes.slice(at, at + MOST_BYTES)
}
