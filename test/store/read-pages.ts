// Reads lists of tasks as their readers do: page by page. Tasks are told by the names that tests gave them.
import { expect } from 'vitest'
import type { TaskStatus } from '../../src/domain/task/machine.ts'
import type { Store } from '../../src/ports/store/store.ts'
import type { ListFilter, ListPlace } from '../../src/ports/store/task-lists.ts'
import { taskId } from '../builders/ids.ts'

export const names = (items: readonly { readonly id: string }[]) =>
  items.map(({ id }) => id.slice(taskId('').length))

/** All pages one after the other. Rows are the same tasks. */
export async function pages(
  store: Store,
  filter: ListFilter,
  { most, mostEnded = Number.MAX_SAFE_INTEGER }: { most: number; mostEnded?: number },
): Promise<string[][]> {
  const all: string[][] = []
  for (let after: ListPlace | null = null; ; ) {
    const { items, next } = await store.taskPage(filter, { after, most, mostEnded })
    const rows = await store.rowPage(filter, { after, most, mostEnded })
    expect([names(rows.items), rows.next]).toEqual([names(items), next])
    all.push(names(items))
    if (next === null) return all
    after = next
  }
}

export async function total(store: Store, filter: ListFilter, only?: TaskStatus): Promise<number> {
  const counts = await store.listTotals(filter)
  return counts.reduce(
    (sum, { status, count }) => sum + (only === undefined || status === only ? count : 0),
    0,
  )
}
