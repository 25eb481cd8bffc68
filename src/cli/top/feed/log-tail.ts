// Owns the end of what a session wrote, as it grows. Only the last lines are kept, however long the text is.
import { StringDecoder } from 'node:string_decoder'
import { setTimeout as sleep } from 'node:timers/promises'
import { messageOf } from '../../../domain/errors.ts'
import { HEADER_FROM } from '../../../protocol/headers.ts'
import type { DaemonClient } from '../../wire/client.ts'
import { isConnectionError } from '../../wire/daemon-error.ts'
import { linesOf } from '../screen/lines.ts'

const MOST_LINES = 5_000
/** A text without line ends is cut, so that it stays a line that can be drawn. */
const LONGEST_LINE = 10_000
/** Enough for all lines that are kept, unless they are long. What was written before is not asked for. */
const MOST_BYTES = 4 * 1024 * 1024
const LOOK_AGAIN_MS = 250

export class LogTail {
  readonly #lines: string[] = []
  #open = ''
  /** All lines as they were last given out; null when something came since. */
  #given: readonly string[] | null = null
  #isCut = false
  /** The first byte that comes may be in the middle of a line. */
  #isInLine = false
  #isOver = false
  #problem: string | null = null
  #isStopped = false
  #end: (() => void) | undefined

  /** All lines that are kept, the last one perhaps not complete. The same array until something comes. */
  lines(): readonly string[] {
    this.#given ??= this.#open === '' ? [...this.#lines] : [...this.#lines, ...linesOf(this.#open)]
    return this.#given
  }
  /** Earlier lines were dropped. */
  get isCut(): boolean {
    return this.#isCut
  }
  /** Nothing more will come. */
  get isOver(): boolean {
    return this.#isOver
  }
  /** Why nothing comes any more; null when nothing is wrong. */
  get problem(): string | null {
    return this.#problem
  }

  /** Reads each byte once, also when the daemon is restarted meanwhile. */
  async follow(id: string, daemon: () => DaemonClient, onChange: () => void): Promise<void> {
    const decoder = new StringDecoder('utf8')
    let from: number | undefined
    while (!this.#isStopped) {
      try {
        const part = from === undefined ? { last: String(MOST_BYTES) } : { from: String(from) }
        const query = { ...part, follow: '1' }
        const { body, headers } = await daemon().openStream('GET /api/tasks/:id/output', { id, query })
        this.#end = () => body.destroy?.()
        if (this.#isStopped) return this.#end()
        from ??= this.#beginAt(Number(headers.get(HEADER_FROM) ?? 0))
        for await (const bytes of body) {
          from += bytes.length
          this.add(this.#fromLineStart(decoder.write(bytes)))
          onChange()
        }
        // A daemon that stops ends the stream, too; then the session goes on.
        const { completed_at } = await daemon().call('GET /api/tasks/:id', { id })
        if (completed_at !== null) return this.#finish(onChange)
      } catch (error) {
        if (this.#isStopped) return
        if (!isConnectionError(error)) return this.#fail(error, onChange)
      }
      await sleep(LOOK_AGAIN_MS)
    }
  }

  #beginAt(from: number): number {
    this.#isCut = from > 0
    this.#isInLine = from > 0
    return from
  }

  /** A text that begins somewhere has the rest of a line first, which is left out. */
  #fromLineStart(text: string): string {
    if (!this.#isInLine || text === '') return text
    this.#isInLine = false
    return text.slice(text.indexOf('\n') + 1)
  }

  add(text: string): void {
    this.#given = null
    const all = this.#open + text
    const end = all.lastIndexOf('\n')
    const open = all.slice(end + 1)
    this.#open = open.slice(0, LONGEST_LINE)
    if (end === -1) return
    for (const one of linesOf(all.slice(0, end))) this.#lines.push(one.slice(0, LONGEST_LINE))
    if (this.#lines.length <= MOST_LINES) return
    this.#isCut = true
    this.#lines.splice(0, this.#lines.length - MOST_LINES)
  }

  stop(): void {
    this.#isStopped = true
    this.#end?.()
  }

  #finish(onChange: () => void): void {
    this.#isOver = true
    onChange()
  }

  #fail(error: unknown, onChange: () => void): void {
    this.#problem = messageOf(error)
    onChange()
  }
}
