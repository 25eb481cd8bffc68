// A terminal with a program in it that draws a list, and how long a key takes until the selection is drawn elsewhere.
import { type IPty, spawn } from '@lydell/node-pty'
import { until } from './until.ts'

const SIZE = { cols: 140, rows: 40 }
const DOWN = '\x1b[B'
const UP = '\x1b[A'
/** A row that is drawn with the mark of the selection, by its number. */
const SELECTED = /\x1b\[(\d+);1H(?:\x1b\[2K)?(?:\x1b\[[\d;]*m)*▸/g

export class BoardInPty {
  readonly #pty: IPty
  #seen = ''
  #row = 0
  #onMove: ((row: number) => void) | undefined
  #isDown = false

  constructor(args: readonly string[], cwd: string, env: Record<string, string>) {
    this.#pty = spawn(process.execPath, [...args], { ...SIZE, cwd, env })
    this.#pty.onData((text) => this.#read(text))
  }

  get pid(): number {
    return this.#pty.pid
  }

  /** Everything it has drawn since the last call. */
  taken(): string {
    const seen = this.#seen
    this.#seen = ''
    return seen
  }

  types(keys: string): void {
    this.#pty.write(keys)
  }

  until(what: string): Promise<unknown> {
    let all = ''
    return until(`'${what}' in the terminal`, () => {
      all += this.taken()
      return all.includes(what)
    })
  }

  /** Ms from a key that moves the selection by one row to the drawing of it. */
  async keyMs(): Promise<number> {
    const from = performance.now()
    const before = this.#row
    const moved = new Promise<number>((resolve) => {
      this.#onMove = (row) => row !== before && resolve(performance.now())
    })
    this.#isDown = !this.#isDown
    this.types(this.#isDown ? DOWN : UP)
    const at = await Promise.race([
      moved,
      new Promise<never>((_, reject) =>
        setTimeout(reject, 10_000, new Error('the key was never drawn')).unref(),
      ),
    ])
    this.#onMove = undefined
    return at - from
  }

  end(): void {
    this.#pty.kill('SIGKILL')
  }

  #read(text: string): void {
    this.#seen = (this.#seen + text).slice(-200_000)
    for (const [, row] of text.matchAll(SELECTED)) {
      this.#row = Number(row)
      this.#onMove?.(this.#row)
    }
  }
}

/** The least that can be done with a key: it is read, and a row is drawn. */
export const LEAST_BOARD = `
  process.stdin.setRawMode(true)
  let row = 20
  const draw = () => process.stdout.write('\\x1b[' + row + ';1H\\x1b[7m▸ selected\\x1b[0m')
  process.stdin.on('data', (key) => { row += String(key) === '\\x1b[B' ? 1 : -1; draw() })
  draw()`
