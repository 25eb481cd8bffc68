/** Waits until `check` gives something truthy; fails with a sentence instead of hanging. */
export async function waitFor<T>(
  what: string,
  check: () => T | undefined | false | null | Promise<T | undefined | false | null>,
  withinMs = 10_000,
): Promise<T> {
  const deadline = performance.now() + withinMs
  for (;;) {
    const found = await check()
    if (found) return found
    if (performance.now() > deadline) throw new Error(`waited ${withinMs} ms in vain for: ${what}`)
    await new Promise((resume) => setTimeout(resume, 10))
  }
}
