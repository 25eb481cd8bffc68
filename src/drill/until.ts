import { setTimeout as sleep } from 'node:timers/promises'

const CHECK_EVERY_MS = 10
const PATIENCE_MS = 120_000

/** Checks again and again until there is a value. The error names `what` it waited for. */
export async function until<T>(
  what: string,
  look: () => T | undefined | Promise<T | undefined>,
  withinMs = PATIENCE_MS,
): Promise<T> {
  const deadline = performance.now() + withinMs
  for (;;) {
    const found = await look()
    if (found !== undefined) return found
    if (performance.now() > deadline)
      throw new Error(`waited ${withinMs / 1000} s without success for ${what}`)
    await sleep(CHECK_EVERY_MS)
  }
}
