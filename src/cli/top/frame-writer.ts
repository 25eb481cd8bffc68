// Owns bytes on their way to the terminal. A line that is slow, or stands still, holds up nothing but the next frame.
import { constants, openSync, writeSync } from 'node:fs'
import { monotonicMs } from './monotonic.ts'

const STDOUT = 1
/** How often a line that takes nothing is tried again. */
const RETRY_MS = 20
/** So long the last bytes are tried: whoever ends the board does not wait for ever for a line that is gone. */
const LAST_WITHIN_MS = 10_000
const NONE = Buffer.alloc(0)

export class FrameWriter {
  readonly #onFree: () => void
  #fd = STDOUT
  #left = NONE
  #retry: NodeJS.Timeout | undefined

  /** `onFree`: the line has taken all of what it had been too slow for. */
  constructor(onFree: () => void) {
    this.#onFree = onFree
  }

  /** Stdout of a terminal waits for it, and with it all of the process. The same terminal, opened once more, need not. */
  open(): void {
    try {
      this.#fd = openSync('/dev/fd/1', constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOCTTY)
    } catch {
      // It may belong to another user: then it is waited for.
    }
  }

  /** A frame that came now would only wait. */
  get isBusy(): boolean {
    return this.#left.length > 0
  }

  write(bytes: string): void {
    this.#left = Buffer.concat([this.#left, Buffer.from(bytes)])
    this.#goOn()
  }

  /** Whole and at once, instead of what is still left. */
  writeLast(bytes: string): void {
    clearTimeout(this.#retry)
    this.#left = Buffer.from(bytes)
    const until = monotonicMs() + LAST_WITHIN_MS
    while (!this.#tryOnce() && monotonicMs() < until) sleep(RETRY_MS)
    this.#left = NONE
  }

  #goOn(): void {
    clearTimeout(this.#retry)
    if (!this.#tryOnce()) this.#retry = setTimeout(() => this.#goOnLater(), RETRY_MS)
  }

  #goOnLater(): void {
    this.#goOn()
    if (!this.isBusy) this.#onFree()
  }

  /** True when nothing is left. */
  #tryOnce(): boolean {
    try {
      while (this.#left.length > 0) this.#left = this.#left.subarray(writeSync(this.#fd, this.#left))
    } catch (error) {
      // Any other error: the terminal is gone.
      if (Object(error).code !== 'EAGAIN') this.#left = NONE
    }
    return !this.isBusy
  }
}

/** Without giving way to anything else: the process may be in the midst of its exit. */
const sleep = (ms: number) => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
