import type { Clock } from '../../ports/clock.ts'

/** `burst`: how many at once; `perSecond`: how fast they come back. */
export type Rate = { readonly burst: number; readonly perSecond: number }

/** More callers than this are forgotten, the longest unseen first. */
const MOST_CALLERS = 1000

/** How often each caller may ask: a bucket of tokens for each, filled again with time. */
export class Buckets {
  readonly #rate: Rate
  readonly #clock: Pick<Clock, 'monotonic'>
  readonly #buckets = new Map<string, { left: number; at: number }>()

  constructor(rate: Rate, clock: Pick<Clock, 'monotonic'>) {
    this.#rate = rate
    this.#clock = clock
  }

  /** 0 when the caller may go on; otherwise the seconds after which it may. */
  take(caller: string): number {
    const { burst, perSecond } = this.#rate
    const now = this.#clock.monotonic()
    const before = this.#buckets.get(caller) ?? { left: burst, at: now }
    const left = Math.min(burst, before.left + ((now - before.at) / 1000) * perSecond)
    this.#buckets.delete(caller)
    this.#buckets.set(caller, { left: left < 1 ? left : left - 1, at: now })
    this.#forgetOldest()
    return left < 1 ? Math.ceil((1 - left) / perSecond) : 0
  }

  #forgetOldest(): void {
    const [oldest] = this.#buckets.keys()
    if (this.#buckets.size > MOST_CALLERS && oldest !== undefined) this.#buckets.delete(oldest)
  }
}
