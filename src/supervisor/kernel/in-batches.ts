import { setImmediate as letOthersWork } from 'node:timers/promises'

const AT_ONCE = 20

/** Works on a few items at once, and lets other work run in between. A store that answers immediately would otherwise block the daemon until all items are done. */
export async function inBatches<Item, Result>(
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
