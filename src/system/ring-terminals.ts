// Owns ringing the bell of terminals.
import { closeSync, constants, openSync, writeSync } from 'node:fs'

const TERMINAL = /^\/dev\/(pts\/\d+|tty[\w.]+)$/
const BEL = '\x07'

/** One that is gone, or that nobody reads, is passed over. */
export function ringTerminals(ttys: readonly string[]): void {
  for (const tty of ttys) if (TERMINAL.test(tty)) ring(tty)
}

function ring(tty: string): void {
  let opened: number | undefined
  try {
    opened = openSync(tty, constants.O_WRONLY | constants.O_NOCTTY | constants.O_NONBLOCK)
    writeSync(opened, BEL)
  } catch {
    // Nobody is there any more.
  } finally {
    if (opened !== undefined) closeSync(opened)
  }
}
