// Owns how often a question may come again: after an answer it rests for a multiple of the time that the answer took. What
// costs the daemon much is asked seldom, however many events there are.

export type RestsClock = {
  /** Milliseconds that only grow. */
  readonly now: () => number
  readonly after: (ms: number, then: () => void) => void
}

export type Rests = {
  /** The question is asked now. The function that is returned is called with its answer, or when there is none. */
  readonly asked: (name: string, times: number) => () => void
  /** Calls at once, or when the rest is over; what waits already is not called twice. */
  readonly whenRested: (name: string, then: () => void) => void
}

export function createRests({ now, after }: RestsClock): Rests {
  const restsUntil = new Map<string, number>()
  const waiting = new Set<string>()

  const whenRested = (name: string, then: () => void) => {
    if (waiting.has(name)) return
    const ms = (restsUntil.get(name) ?? 0) - now()
    if (ms <= 0) return then()
    waiting.add(name)
    after(ms, () => {
      waiting.delete(name)
      whenRested(name, then)
    })
  }
  return {
    asked: (name, times) => {
      const began = now()
      return () => restsUntil.set(name, now() + times * (now() - began))
    },
    whenRested,
  }
}
