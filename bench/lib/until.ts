import { setTimeout as pause } from 'node:timers/promises'

/** Looks until there is something; a bench that waits in vain is broken and says so. */
export async function until<T>(
  what: string,
  look: () => T | undefined | false | Promise<T | undefined | false>,
  { withinMs = 60_000, everyMs = 5 } = {},
): Promise<T> {
  const deadline = performance.now() + withinMs
  for (;;) {
    const found = await look()
    if (found !== undefined && found !== false) return found
    if (performance.now() > deadline) throw new Error(`waited ${withinMs} ms in vain for ${what}`)
    await pause(everyMs)
  }
}
