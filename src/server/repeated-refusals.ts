import type { Clock } from '../ports/clock.ts'

const ONE_ROW_PER_MS = 60_000
/** More callers than this at once are counted as one. */
const MOST_KINDS = 100
const OTHERS = 'others'

/** The same refusal, again and again: told once a minute, with how often it came in between. */
export class RepeatedRefusals {
  readonly #clock: Pick<Clock, 'monotonic'>
  readonly #seen = new Map<string, { toldAt: number; since: number }>()

  constructor(clock: Pick<Clock, 'monotonic'>) {
    this.#clock = clock
  }

  /** How often it came since it was last told, when it is to be told now; undefined when it is only counted. */
  count(what: string): number | undefined {
    const now = this.#clock.monotonic()
    const key = this.#seen.has(what) || this.#seen.size < MOST_KINDS ? what : OTHERS
    const before = this.#seen.get(key)
    if (before !== undefined && now - before.toldAt < ONE_ROW_PER_MS) {
      before.since++
      return undefined
    }
    this.#forgetOld(now)
    this.#seen.set(key, { toldAt: now, since: 0 })
    return before?.since ?? 0
  }

  /** What came again since stays, so that its count is told. */
  #forgetOld(now: number): void {
    for (const [key, { toldAt, since }] of this.#seen)
      if (now - toldAt >= ONE_ROW_PER_MS && (since === 0 || now - toldAt >= 60 * ONE_ROW_PER_MS))
        this.#seen.delete(key)
  }
}
