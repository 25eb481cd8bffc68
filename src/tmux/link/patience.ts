// Owns waiting for something that may never come.
import type { Clock } from '../../ports/clock.ts'

/** Waits for the work as long as it takes; calls `tooLong` when it takes longer than `ms`. */
export async function reportingDelay<T>(
  clock: Clock,
  ms: number,
  work: Promise<T>,
  tooLong: () => void,
): Promise<T> {
  // In two halves: if this process was suspended, the answer that has arrived is read before the second half is over.
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

/** A pause between two tries, which `wake` ends early. */
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
