// Owns what the bytes of a terminal mean: keys, and pastes between their markers. It has no timer:
// a lone ESC waits until `flush` says that nothing follows it.

export type Key =
  | { readonly key: 'text' | 'paste'; readonly text: string }
  | { readonly key: 'enter' | 'newline' | 'backspace' | 'escape' | 'interrupt' | 'clear' | 'up' | 'down' }

const PASTE_BEGINS = '\x1b[200~'
const PASTE_ENDS = '\x1b[201~'
const SEQUENCE = /^\x1b(?:\[[0-?]*[ -/]*[@-~]|O[ -~])/
const BEGUN_SEQUENCE = /^\x1b(?:\[[0-?]*[ -/]*|O)?$/
const TEXT = /^[^\x00-\x1f\x7f]+/

const single: Readonly<Record<string, Key>> = {
  '\r': { key: 'enter' },
  '\n': { key: 'newline' },
  '\x03': { key: 'interrupt' },
  '\x15': { key: 'clear' },
  '\x7f': { key: 'backspace' },
  '\b': { key: 'backspace' },
  '\x1b[A': { key: 'up' },
  '\x1bOA': { key: 'up' },
  '\x1b[B': { key: 'down' },
  '\x1bOB': { key: 'down' },
}

export class KeyReader {
  #rest = ''
  #pasting = false

  /** The keys that this piece completes. Unknown sequences are dropped. */
  feed(piece: string): Key[] {
    // The end marker may be cut in two, so the search begins a little before the new piece.
    const from = Math.max(0, this.#rest.length - PASTE_ENDS.length)
    this.#rest += piece
    const keys: Key[] = []
    if (this.#pasting && !this.#endPaste(from, keys)) return keys
    while (this.#rest !== '' && !BEGUN_SEQUENCE.test(this.#rest)) {
      if (this.#rest.startsWith(PASTE_BEGINS)) {
        this.#take(PASTE_BEGINS)
        this.#pasting = true
        if (!this.#endPaste(0, keys)) return keys
      } else this.#next(keys)
    }
    return keys
  }

  /** True while an ESC may still be the beginning of a sequence. */
  get undecided(): boolean {
    return !this.#pasting && this.#rest !== ''
  }

  flush(): Key[] {
    if (!this.undecided) return []
    this.#take('\x1b')
    return [{ key: 'escape' }, ...this.feed('')]
  }

  #next(keys: Key[]): void {
    const text = TEXT.exec(this.#rest)?.[0]
    if (text !== undefined) keys.push({ key: 'text', text: this.#take(text) })
    else if (this.#rest.startsWith('\x1b')) this.#escape(keys)
    else this.#known(this.#take(this.#rest.slice(0, 1)), keys)
  }

  #escape(keys: Key[]): void {
    const sequence = SEQUENCE.exec(this.#rest)?.[0]
    this.#take(sequence ?? '\x1b')
    if (sequence === undefined) keys.push({ key: 'escape' })
    else this.#known(sequence, keys)
  }

  #known(bytes: string, keys: Key[]): void {
    const key = single[bytes]
    if (key) keys.push(key)
  }

  #endPaste(from: number, keys: Key[]): boolean {
    const end = this.#rest.indexOf(PASTE_ENDS, from)
    if (end < 0) return false
    const text = this.#take(this.#rest.slice(0, end)).replace(/\r\n?/g, '\n')
    this.#take(PASTE_ENDS)
    this.#pasting = false
    keys.push({ key: 'paste', text })
    return true
  }

  #take(front: string): string {
    this.#rest = this.#rest.slice(front.length)
    return front
  }
}
