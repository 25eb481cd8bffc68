// Owns one line of progress: redrawn in a terminal, printed every ten seconds elsewhere, never with --json.
import type { Context } from '../context.ts'

const REDRAW_MS = 100
const SAY_EVERY_MS = 10_000

export function progressLine({ json, say }: Pick<Context, 'json' | 'say'>) {
  const isTerminal = process.stderr.isTTY === true
  const everyMs = isTerminal ? REDRAW_MS : SAY_EVERY_MS
  // Work that is over at once needs no line.
  let last = performance.now() + (isTerminal ? 0 : 1000 - everyMs)
  let isShown = false
  return {
    show(text: string): void {
      if (json || performance.now() - last < everyMs) return
      last = performance.now()
      if (isTerminal) process.stderr.write(`\r\x1b[K${text}`)
      else say(text)
      isShown = isTerminal
    },
    clear(): void {
      if (isShown) process.stderr.write('\r\x1b[K')
      isShown = false
    },
  }
}
