// Owns parsing the output of control mode: bytes in, reply blocks out.
import { wholeLines } from '../../domain/text/whole-lines.ts'

export type Block = { readonly ok: boolean; readonly lines: readonly string[] }

/**
 * Output may contain lines that look like `%end`. A block ends only with the line that repeats its own time, number and
 * flags. Flag 1 marks replies to our commands; other blocks (of the attach itself) are skipped.
 */
export class ReplyReader {
  #partial = ''
  #guard: string | undefined
  #lines: string[] = []
  #onBlock: (block: Block) => void
  #onNotice: (line: string) => void
  /** What tmux printed last outside of blocks, for example why it ends. */
  lastWords = ''

  constructor(onBlock: (block: Block) => void, onNotice: (line: string) => void = () => {}) {
    this.#onBlock = onBlock
    this.#onNotice = onNotice
  }

  /** A chunk may end in the middle of a character, so lines are cut as bytes (latin1) and decoded whole. */
  read(chunk: Buffer): void {
    const { lines, rest } = wholeLines(this.#partial + chunk.toString('latin1'))
    this.#partial = rest
    for (const line of lines) this.#readLine(line)
  }

  #readLine(line: string): void {
    if (this.#guard === undefined) this.#readOutside(line)
    else if (line === `%end ${this.#guard}`) this.#endBlock(this.#guard, true)
    else if (line === `%error ${this.#guard}`) this.#endBlock(this.#guard, false)
    else this.#lines.push(Buffer.from(line, 'latin1').toString())
  }

  #endBlock(guard: string, ok: boolean): void {
    const lines = this.#lines
    this.#guard = undefined
    this.#lines = []
    if (guard.endsWith(' 1')) this.#onBlock({ ok, lines })
  }

  #readOutside(line: string): void {
    if (line.startsWith('%begin ')) this.#guard = line.slice('%begin '.length)
    else this.#readNotice(line)
  }

  #readNotice(line: string): void {
    // Such a notice may come at any time, and says nothing about an end.
    if (!line.startsWith('%subscription-changed ')) this.lastWords = line
    this.#onNotice(line)
  }
}
