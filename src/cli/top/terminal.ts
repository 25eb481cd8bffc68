// Owns the terminal while the board is in it, and gives it back as it was: at every exit, while another program has it,
// and while the board is stopped.

import { StringDecoder } from 'node:string_decoder'
import { hearInterrupt } from '../interrupt.ts'
import { FrameWriter } from './frame-writer.ts'
import { type Key, pendingOver, readKeys } from './input/keys.ts'
import type { Size } from './screen/painter.ts'

/** Alternate screen, no cursor, no wrapping at the right edge, pastes marked as such. */
const ENTER = '\x1b[?1049h\x1b[?25l\x1b[?7l\x1b[?2004h'
const LEAVE = '\x1b[?2026l\x1b[0m\x1b[?2004l\x1b[?7h\x1b[?25h\x1b[?1049l'
/** Longer than the parts of a sequence are apart on a slow connection. */
const LONE_ESCAPE_MS = 100
/** A stopped process does not get here before it is continued; one that nobody can continue is not stopped. */
const STOPPED_WITHIN_MS = 100

export type TerminalEvents = {
  /** All keys of one read. */
  readonly onKeys: (keys: readonly Key[]) => void
  /** The size changed, or another program has drawn: nothing is known of what is shown. */
  readonly onRedraw: () => void
  /** A line that was too slow for what was drawn has taken it. */
  readonly onFree: () => void
  /** The process was told to end; `exitCode` as a shell counts it. */
  readonly onEnd: (exitCode: number) => void
}

const ENDS = { SIGTERM: 143, SIGHUP: 129, SIGQUIT: 131 } as const
const INTERRUPTED = 130

export class BoardTerminal {
  readonly #events: TerminalEvents
  readonly #writer: FrameWriter
  #isOurs = false
  #isSuspended = false
  /** Told to end while another program had the terminal: that one is not left alone with it. */
  #endLater: number | null = null
  #pending = ''
  #escape: NodeJS.Timeout | undefined
  #decoder = new StringDecoder('utf8')

  constructor(events: TerminalEvents) {
    this.#events = events
    this.#writer = new FrameWriter(events.onFree)
  }

  /** False while another program has it. */
  get isOurs(): boolean {
    return this.#isOurs
  }

  /** It has not taken what was drawn last: another frame would only wait. */
  get isBusy(): boolean {
    return this.#writer.isBusy
  }

  get size(): Size {
    const { columns, rows } = process.stdout
    return { columns: columns || 80, rows: rows || 24 }
  }

  /** Takes nothing from the terminal yet: an error of the first question is printed as any other. */
  prepare(): void {
    process.stdin.pause()
    process.stdout.getWindowSize()
  }

  /** From here on the terminal is given back whatever happens, but for kill -9. */
  open(): void {
    for (const [name, code] of Object.entries(ENDS))
      process.on(name as keyof typeof ENDS, () => this.#endWith(code))
    process.on('exit', this.leave)
    process.on('SIGTSTP', this.suspend)
    process.on('SIGCONT', this.#resume)
    process.on('uncaughtException', this.#crash).on('unhandledRejection', this.#crash)
    process.stdout.on('resize', this.#events.onRedraw)
    process.stdin.on('end', () => this.#endWith(ENDS.SIGHUP)).on('error', () => this.#endWith(ENDS.SIGHUP))
    this.#writer.open()
    this.enter()
  }

  enter(): void {
    if (this.#endLater !== null) this.#events.onEnd(this.#endLater)
    if (this.#isOurs || this.#endLater !== null) return
    this.#isOurs = true
    this.#isSuspended = false
    // Ctrl-C comes as a key; a signal of that name comes from elsewhere. Whoever had the terminal may have taken it over.
    hearInterrupt(() => this.#endWith(INTERRUPTED))
    process.stdin.setRawMode(true)
    process.stdin.on('data', this.#read).resume()
    this.write(ENTER)
  }

  /** The terminal is as it was before, and keys go to whoever reads next. */
  readonly leave = (): void => {
    if (!this.#isOurs) return
    this.#isOurs = false
    clearTimeout(this.#escape)
    this.#pending = ''
    // Of a frame that is not out yet nothing is to be seen any more.
    this.#writer.writeLast(LEAVE)
    process.stdin.off('data', this.#read).pause()
    try {
      process.stdin.setRawMode(false)
    } catch {
      // The terminal is gone.
    }
  }

  /** As Ctrl-Z does with other programs: the shell has the terminal until it continues us. */
  readonly suspend = (): void => {
    if (!this.#isOurs) return
    this.leave()
    this.#isSuspended = true
    process.off('SIGTSTP', this.suspend)
    process.kill(0, 'SIGTSTP')
    setTimeout(this.#resume, STOPPED_WITHIN_MS)
  }

  write(bytes: string): void {
    this.#writer.write(bytes)
  }

  #endWith(exitCode: number): void {
    if (this.#isOurs || this.#isSuspended) this.#events.onEnd(exitCode)
    else this.#endLater = exitCode
  }

  readonly #resume = (): void => {
    if (!this.#isSuspended) return
    process.off('SIGTSTP', this.suspend).on('SIGTSTP', this.suspend)
    this.enter()
    this.#events.onRedraw()
  }

  readonly #crash = (error: unknown): void => {
    this.leave()
    process.stderr.write(`Error: the board broke off; no session was stopped. ${stackOf(error)}\n`)
    process.exit(2)
  }

  readonly #read = (bytes: Buffer): void => {
    clearTimeout(this.#escape)
    this.#take(readKeys(this.#pending, this.#decoder.write(bytes)))
  }

  #take({ keys, pending }: ReturnType<typeof readKeys>): void {
    this.#pending = pending
    if (pending === '\x1b')
      this.#escape = setTimeout(() => this.#take(pendingOver(this.#pending)), LONE_ESCAPE_MS)
    if (keys.length > 0) this.#events.onKeys(keys)
  }
}

const stackOf = (error: unknown) => (error instanceof Error ? (error.stack ?? error.message) : String(error))
