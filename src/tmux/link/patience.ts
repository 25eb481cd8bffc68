// Owns waiting for something that may never come.
import type { Clock } from '../../ports/clock.ts'

/** Waits for as long as it takes, but says so when it takes too long. */
export async function reportingDelay<T>(
  clock: Clock,
  ms: number,
  work: Promise<T>,
  tooLong: () => void,
): Promise<T> {
  // In two halves: after a sleep of our own, the answer that lay waiting is read before the second one ends.
  let callOff = clock.after(ms / 2, () => {
    callOff = clock.after(ms / 2, tooLong)
  })
  try {
    return await work
  } finally {
    callOff()
  }
}

/** Waits until the work is done, however it ends, but no longer than this. */
export async function atMost(clock: Clock, ms: number, work: Promise<unknown> | undefined): Promise<void> {
  let callOff = () => {}
  const tooLong = new Promise<void>((resolve) => {
    callOff = clock.after(ms, resolve)
  })
  await Promise.race([work?.catch(() => {}), tooLong])
  callOff()
}

/** A pause between two tries, which ends early when somebody asks for the next one. */
export class Nap {
  readonly #clock: Clock
  #wake = () => {}

  constructor(clock: Clock) {
    this.#clock = clock
  }

  async sleep(ms: number): Promise<void> {
    await new Promise<void>((resolve) => {
      const callOff = this.#clock.after(ms, resolve)
      this.#wake = () => {
        callOff()
        resolve()
      }
    })
  }

  wake = () => this.#wake()
}
