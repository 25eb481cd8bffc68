/** So many sessions are remembered that are not on the board: a board may be open for months. */
const MOST_REMEMBERED = 10_000

/** Called after something was added. */
export function forgetOldest(all: Set<string> | Map<string, unknown>): void {
  const [oldest] = all.keys()
  if (all.size > MOST_REMEMBERED && oldest !== undefined) all.delete(oldest)
}
