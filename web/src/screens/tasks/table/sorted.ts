// Owns the order of rows by a column. Pure. The daemon's own order is by age: any other needs all rows, as a search does.
import type { TaskRowJson } from '../../../../../src/protocol/json/task-json.ts'

const SORT_KEYS = ['title', 'project', 'agent', 'cost', 'time', 'activity'] as const
export type SortKey = (typeof SORT_KEYS)[number]
export type Sort = { readonly key: SortKey; readonly isDown: boolean }

const VALUES: Readonly<Record<SortKey, (row: TaskRowJson) => string | number | null>> = {
  title: ({ title }) => title.toLowerCase(),
  project: ({ project }) => project,
  agent: ({ agent }) => agent,
  cost: ({ cost_usd: cost }) => cost,
  time: ({ elapsed_seconds: seconds }) => seconds,
  activity: ({ last_activity_at: at }) => (at === null ? null : Date.parse(at)),
}

/** As it stands in the address: `cost`, or `-cost` from the largest to the smallest. */
export function sortIn(text: string | undefined): Sort | undefined {
  const key = SORT_KEYS.find((name) => name === text?.replace(/^-/, ''))
  return key && { key, isDown: text?.startsWith('-') ?? false }
}

const TEXTS: ReadonlySet<SortKey> = new Set(['title', 'project', 'agent'])

/** What follows when its head is pressed: figures from the largest first, words from A; then the other way, then as before. */
export function nextSort(now: Sort | undefined, key: SortKey): string | undefined {
  const first = TEXTS.has(key) ? key : `-${key}`
  const second = TEXTS.has(key) ? `-${key}` : key
  if (now?.key !== key) return first
  const is = now.isDown ? `-${key}` : key
  return is === first ? second : undefined
}

/** What has no value comes last, whichever way. Equal ones keep the daemon's order. */
export function sorted(rows: readonly TaskRowJson[], sort: Sort | undefined): readonly TaskRowJson[] {
  if (sort === undefined) return rows
  const value = VALUES[sort.key]
  const way = sort.isDown ? -1 : 1
  return [...rows].sort((one, other) => {
    const [a, b] = [value(one), value(other)]
    if (a === b) return 0
    if (a === null || b === null) return a === null ? 1 : -1
    return a < b ? -way : way
  })
}
