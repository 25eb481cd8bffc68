// Owns the real terminal: raw mode, alternate screen, bracketed paste, and restoring it at the end.
import { type Key, KeyReader } from './keys.ts'
import { type Frame, paint } from './screen.ts'

/** The rest of a key's sequence follows its ESC within this time; a person's next key does not. */
const ESCAPE_MS = 50
/** Save title, alternate screen, bracketed paste, no wrapping at the margin. */
const ENTER = '\x1b[22;2t\x1b[?1049h\x1b[?2004h\x1b[?7l'
const LEAVE = '\x1b[?7h\x1b[?2004l\x1b[?25h\x1b[?1049l\x1b[23;2t'

const PASTE_BEGINS = '\x1b[200~'

export type Listener = { onKey(key: Key): void; onPasteBegins(): void; onResize(): void; onGone(): void }

export function openTerminal(title: string, listener: Listener) {
  const { stdin, stdout } = process
  stdin.setRawMode(true).setEncoding('utf8')
  stdout.write(`${ENTER}\x1b]2;${title}\x07`)
  /** What is on the screen; unknown after a change of its size. */
  let shown: Frame | undefined
  listen({
    ...listener,
    onResize() {
      shown = undefined
      listener.onResize()
    },
  })
  return {
    size: () => ({ columns: stdout.columns || 80, rows: stdout.rows || 24 }),
    show(frame: Frame): void {
      stdout.write(paint(frame, shown))
      shown = frame
    },
    /** The next frame is drawn whole. */
    forget(): void {
      shown = undefined
    },
    close() {
      stdin.setRawMode(false).pause()
      stdout.write(LEAVE)
    },
  }
}

function listen({ onKey, onPasteBegins, onResize, onGone }: Listener): void {
  const reader = new KeyReader()
  let later: NodeJS.Timeout | undefined
  process.stdin.on('data', (piece: string) => {
    clearTimeout(later)
    if (piece.includes(PASTE_BEGINS)) onPasteBegins()
    for (const key of reader.feed(piece)) onKey(key)
    if (reader.undecided) later = setTimeout(() => reader.flush().forEach(onKey), ESCAPE_MS)
  })
  process.stdin.on('end', onGone).on('error', onGone)
  process.stdout.on('error', onGone).on('resize', onResize)
}
