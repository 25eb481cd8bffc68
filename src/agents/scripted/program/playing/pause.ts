// Owns the ways of spending time. Each ends early, with an AbortError, when the signal is aborted.
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'

const DAY_MS = 86_400_000
const SPIN_SLICE_MS = 20

export const pause = (seconds: number, signal: AbortSignal) => sleep(seconds * 1000, undefined, { signal })

/** Waits without output and without using CPU, until it is aborted or killed. */
export async function untilEnded(signal: AbortSignal): Promise<never> {
  for (;;) await sleep(DAY_MS, undefined, { signal })
}

/** Uses CPU in slices, so that keys are still read in between. */
export async function spin(seconds: number, signal: AbortSignal): Promise<void> {
  for (const end = performance.now() + seconds * 1000; performance.now() < end; ) {
    const slice = performance.now() + SPIN_SLICE_MS
    while (performance.now() < slice);
    await nextTurn(undefined, { signal })
  }
}
