/** Waits until `check` gives something truthy; fails with a sentence instead of hanging. */
export async function waitFor<T>(
  what: string,
  check: () => T | undefined | false | null | Promise<T | undefined | false | null>,
  withinMs = 10_000,
): Promise<T> {
  const start = performance.now()
  for (;;) {
    const found = await check()
    if (found) return found
    const waited = performance.now() - start
    if (waited > withinMs) throw new Error(`waited ${withinMs} ms in vain for: ${what}`)
    await new Promise((resume) => setTimeout(resume, pauseAfter(waited)))
  }
}

/** What takes long is asked for less often: the machine is needed by what is waited for. */
const pauseAfter = (waitedMs: number) => Math.min(50, 5 + waitedMs / 20)
