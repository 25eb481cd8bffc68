import { setImmediate as letOthersWork } from 'node:timers/promises'

const AT_ONCE = 20

/** A few at once, with room for everything else in between: a store that answers at once would hold up the daemon for as long as all of them take. */
export async function inTurns<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  for (let from = 0; from < items.length; from += AT_ONCE) {
    if (from > 0) await letOthersWork()
    results.push(...(await Promise.all(items.slice(from, from + AT_ONCE).map(work))))
  }
  return results
}
