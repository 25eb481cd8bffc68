// Owns lists of tasks: pages for people, and the ids of all tasks that an order for many tasks is meant for.
import { setImmediate as letOthersWork } from 'node:timers/promises'
import type { TaskId } from '../../../domain/names/ids.ts'
import type { Elsewhere } from '../../../domain/task/elsewhere.ts'
import type { TaskStatus } from '../../../domain/task/machine.ts'
import type { Listed, ListedTask, TaskRow } from '../../../domain/task/task.ts'
import type { Reads } from '../../../ports/store/store.ts'
import type {
  ListCount,
  ListFilter,
  ListPlace,
  Page,
  PageAsk,
  TaskCounts,
  TaskLists,
} from '../../../ports/store/task-lists.ts'
import { elsewhereAmong } from '../../task/elsewhere.ts'
import { olderThan } from '../../upkeep/archive-tasks.ts'
import type { DeskNeeds } from '../needs.ts'
import { activeAt, type Brief, briefOf } from './look.ts'
import { waitingForTmux } from './outage.ts'
import { gatesBefore, type Waits, waitsOf } from './waits.ts'

const PER_READ = 500

export type RowSeen = {
  readonly row: TaskRow
  readonly waits: Waits
  /** Epoch ms when it ended, or when its agent last showed a sign of life; null while no agent of it is at work. */
  readonly activeAt: number | null
  /** Epoch ms of this look. */
  readonly at: number
  /** Null of a task of this daemon. */
  readonly elsewhere: Elsewhere | null
}
/** A task of a list. */
export type ListedSeen = Brief & Listed & Pick<RowSeen, 'elsewhere'>

export const listsDesk = (core: DeskNeeds) => ({
  async tasks(filter: ListFilter, ask: PageAsk): Promise<Page<ListedSeen>> {
    const { items, next } = await core.store.taskPage(filter, ask)
    const gates = await core.store.gates()
    const elsewhere = await elsewhereAmong(items, core)
    const seen = (task: ListedTask): ListedSeen => ({
      ...briefOf(task, gates, core),
      askedBy: task.askedBy,
      elsewhere: elsewhere(task),
    })
    return { items: items.map(seen), next }
  },

  /** The same tasks as `tasks` in the same order, but only what a table shows. */
  async rows(filter: ListFilter, ask: PageAsk): Promise<Page<RowSeen>> {
    const { items, next } = await core.store.rowPage(filter, ask)
    const at = core.clock.now()
    const waiting = new Set(await waitingForTmux(core))
    const gates = await core.store.gates()
    const elsewhere = await elsewhereAmong(items, core)
    const seen = (row: TaskRow): RowSeen => ({
      row,
      waits: waitsOf(row, gatesBefore(row, gates, core), waiting.has(row.id)),
      activeAt: activeAt(row, at, core),
      at,
      elsewhere: elsewhere(row),
    })
    return { items: items.map(seen), next }
  },

  /** Counts over the whole list, by status and phase. */
  totals: (filter: ListFilter): Promise<ListCount[]> => core.store.listTotals(filter),

  counts: (): Promise<TaskCounts> => core.store.counts(),

  /** The same, of this node alone. */
  ownCounts: (): Promise<TaskCounts> => core.store.counts(core.store.nodeId),

  /** Ids of all tasks that have not ended. Queued tasks come first: if others were ended before them, they would be started in the free slots. */
  async unended(project: string | undefined): Promise<TaskId[]> {
    const queued = await idsIn(['pending'], project, core)
    return [...queued, ...(await idsIn(['running', 'waiting_input'], project, core))]
  },

  /** Ids of all tasks that ended at least `ageMs` ago, oldest first. Archived tasks only when `which` asks for them. */
  olderThan: (ageMs: number, which?: { readonly archived: boolean }): Promise<TaskId[]> =>
    olderThan(ageMs, core, which),
})

async function idsIn(
  statuses: readonly TaskStatus[],
  project: string | undefined,
  { store }: Reads<TaskLists>,
): Promise<TaskId[]> {
  const ids: TaskId[] = []
  for (let after: ListPlace | null = null; ; ) {
    const { items, next } = await store.rowPage(
      { statuses, project },
      { after, most: PER_READ, mostEnded: 0 },
    )
    ids.push(...items.map(({ id }) => id))
    if (next === null) return ids
    after = next
    await letOthersWork()
  }
}
