// Owns the connection to a live terminal: asked for first, because a browser hides why a WebSocket was refused; then
// opened, and opened again when it breaks.
import type { TerminalMessage } from '../../../../src/protocol/json/terminal-json.ts'
import { call, isUnreached, Refused } from '../connection/call.ts'

export type TerminalState =
  | { readonly kind: 'connecting' }
  | { readonly kind: 'live'; readonly typing: boolean }
  /** It broke, and is tried again. */
  | { readonly kind: 'cut_off' }
  /** There is none, and why. */
  | { readonly kind: 'refused'; readonly refused: Pick<Refused, 'message' | 'hint'> }

export type TerminalEvents = {
  readonly onState: (state: TerminalState) => void
  readonly onSize: (columns: number, rows: number) => void
  readonly onBytes: (bytes: Uint8Array) => void
}

const FIRST_PAUSE_MS = 500
const LONGEST_PAUSE_MS = 10_000

const ENDS: Readonly<Record<number, Pick<Refused, 'message' | 'hint'>>> = {
  1000: { message: 'The terminal was closed.', hint: 'Below is what it showed last.' },
  1008: { message: 'You are not logged in any more.', hint: '' },
  1013: {
    message: 'The connection was too slow for the terminal.',
    hint: 'The screen as text needs much less.',
  },
}

/** Typing ends with a connection that breaks: whoever types sees first what there is to type into. */
export function connectTerminal(id: string, typing: boolean, { onState, onSize, onBytes }: TerminalEvents) {
  let socket: WebSocket | undefined
  let isOver = false
  let wantsTyping = typing
  let pauseMs = FIRST_PAUSE_MS
  let timer: ReturnType<typeof setTimeout> | undefined

  const again = () => {
    if (isOver) return
    onState({ kind: 'cut_off' })
    wantsTyping = false
    timer = setTimeout(() => void open(), pauseMs)
    pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)
  }

  async function open(): Promise<void> {
    try {
      await call('GET /api/tasks/:id/terminal', { id, query: {} })
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      if (isUnreached(error)) return again()
      if (!isOver) onState({ kind: 'refused', refused: error })
      return
    }
    if (!isOver) connect()
  }

  function connect(): void {
    const opened = new WebSocket(addressOf(id, wantsTyping))
    socket = opened
    opened.binaryType = 'arraybuffer'
    opened.onopen = () => {
      pauseMs = FIRST_PAUSE_MS
      onState({ kind: 'live', typing: wantsTyping })
    }
    opened.onmessage = ({ data }: MessageEvent<ArrayBuffer | string>) => {
      if (typeof data !== 'string') return onBytes(new Uint8Array(data))
      const told = JSON.parse(data) as TerminalMessage
      if (told.type === 'size') onSize(told.columns, told.rows)
    }
    opened.onclose = ({ code }) => {
      const end = ENDS[code]
      if (isOver) return
      if (end === undefined) return again()
      onState({ kind: 'refused', refused: end })
    }
  }

  onState({ kind: 'connecting' })
  void open()
  return {
    type(text: string): void {
      if (wantsTyping && socket?.readyState === WebSocket.OPEN)
        for (const part of partsOf(text)) socket.send(part)
    },
    close(): void {
      isOver = true
      clearTimeout(timer)
      socket?.close()
    },
  }
}

function addressOf(id: string, typing: boolean): string {
  const scheme = location.protocol === 'https:' ? 'wss' : 'ws'
  return `${scheme}://${location.host}/api/tasks/${encodeURIComponent(id)}/terminal${typing ? '?typing=1' : ''}`
}

/** The daemon takes 64 KB at once. */
const MOST_BYTES = 32 * 1024

function* partsOf(text: string): Generator<Uint8Array<ArrayBuffer>> {
  const bytes = new TextEncoder().encode(text)
  for (let at = 0; at < bytes.length; at += MOST_BYTES) yield bytes.slice(at, at + MOST_BYTES)
}
