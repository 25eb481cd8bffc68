// Owns a terminal over a WebSocket: bytes of the screen one way, keys the other, and an end in every case.
import type { WebSocket } from 'ws'
import type { Clock } from '../../ports/clock.ts'
import type { Viewer, ViewerSize } from '../../ports/run/terminal-viewers.ts'
import type { TerminalMessage } from '../../protocol/json/terminal-json.ts'

/** So many bytes wait for a slow reader at most, and about one read of the terminal more. tmux itself drops the rest. */
const FULL_BYTES = 256 * 1024
/** A reader that takes nothing for so long is cut off. */
const STALLED_MS = 20_000
/** One that does not answer a ping until the next one, too. */
const BEAT_MS = 15_000
/** How long a reader may take to say goodbye. */
const GOODBYE_MS = 1000

/** Codes of WebSockets: the pane is gone; the daemon stops; the caller may not look any more; it is too slow. */
const CLOSE = { gone: 1000, stopping: 1001, not_allowed: 1008, slow: 1013 } as const
type Why = keyof typeof CLOSE

type Needs = {
  readonly clock: Clock
  readonly stopping: AbortSignal
  /** False when the caller may not be here any more: logged out, its token revoked or expired. */
  readonly mayStill: () => Promise<boolean>
  /** Told once, with how many bytes were typed. */
  readonly onEnd: (typedBytes: number) => void
}

export function show(viewer: Viewer, socket: WebSocket, { clock, stopping, mayStill, onEnd }: Needs): void {
  let typed = 0
  let isOver = false
  let isPaused = false
  let isAlive = true
  let callOffStall = () => {}
  let callOffBeat = () => {}

  const tell = (message: TerminalMessage) => {
    if (socket.readyState === socket.OPEN) socket.send(JSON.stringify(message))
  }
  const tellSize = ({ columns, rows, statusLines }: ViewerSize) =>
    tell({ type: 'size', columns, rows, status_lines: statusLines })

  const end = (why: Why) => {
    if (isOver) return
    isOver = true
    callOffStall()
    callOffBeat()
    stopping.removeEventListener('abort', onStopping)
    viewer.end()
    onEnd(typed)
    tell({ type: 'end', why })
    socket.close(CLOSE[why])
    clock.after(GOODBYE_MS, () => socket.terminate())
  }
  const onStopping = () => end('stopping')

  const afterSent = () => {
    if (!isPaused || isOver || socket.bufferedAmount > FULL_BYTES / 2) return
    isPaused = false
    callOffStall()
    viewer.resume()
  }
  const pause = () => {
    isPaused = true
    viewer.pause()
    callOffStall = clock.after(STALLED_MS, () => end('slow'))
  }
  const beat = async () => {
    if (!isAlive) return end('slow')
    if (!(await mayStill())) return end('not_allowed')
    if (isOver) return
    isAlive = false
    socket.ping()
    callOffBeat = clock.after(BEAT_MS, () => void beat())
  }

  viewer.onData((bytes) => {
    if (isOver) return
    socket.send(bytes, afterSent)
    if (!isPaused && socket.bufferedAmount > FULL_BYTES) pause()
  })
  viewer.onSize(tellSize)
  viewer.onEnd(() => end('gone'))
  socket.on('message', (data: Buffer) => {
    if (isOver) return
    typed += data.length
    viewer.type(data)
  })
  socket.on('pong', () => {
    isAlive = true
  })
  // What is wrong with a connection shows in its end.
  socket.on('error', () => {})
  socket.on('close', () => end('gone'))
  stopping.addEventListener('abort', onStopping)
  callOffBeat = clock.after(BEAT_MS, () => void beat())
  tellSize(viewer.size)
  viewer.resume()
  if (stopping.aborted) end('stopping')
}
