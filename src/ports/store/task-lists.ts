// Owns what is asked of the list of tasks: pages, rows and totals.

import type { NodeId, TaskId } from '../../domain/names/ids.ts'
import type { Phase, TaskStatus } from '../../domain/task/machine.ts'
import type { ListedTask, TaskRow } from '../../domain/task/task.ts'
import type { TaskFilter } from './tasks.ts'

export type ListFilter = Omit<TaskFilter, 'limit'> & {
  /** Only tasks that this one started. */
  readonly parent?: TaskId
  /** Only tasks of this agent or role. */
  readonly agent?: string
  /** Runtimes too. Otherwise they are left out. */
  readonly runtimes?: boolean
  /** Only tasks that ended then (epoch ms) or later. They come in the order of their ends: the last one first. */
  readonly endedSince?: number
}

/**
 * Tasks that have not ended come first, then the ended ones; each part newest first. A list of those that ended since a
 * time has one part alone, `by_end`.
 */
export type ListPart = 'unended' | 'ended' | 'by_end'

/** A place in the list: right after this task. `at`: when it was created; in the part `by_end`, when it ended. */
export type ListPlace = { readonly part: ListPart; readonly at: number; readonly id: string }

export type PageAsk = {
  /** Null: from the beginning of the list. Otherwise a place of a list with the same parts. */
  readonly after: ListPlace | null
  /** At most so many tasks. */
  readonly most: number
  /** Among them, at most so many that have ended. */
  readonly mostEnded: number
}
/** A page may have few items, or none, although more follow: `next` is null only at the end of the list. */
export type Page<Item> = { readonly items: readonly Item[]; readonly next: ListPlace | null }

/** How many tasks of the list have this status and phase. */
export type ListCount = {
  readonly status: TaskStatus
  readonly phase: Phase | null
  readonly hasStarted: boolean
  readonly count: number
}

export type TaskCounts = Readonly<Record<TaskStatus, number>>

export interface TaskLists {
  /** A page of the list. It is read in a few milliseconds, however many tasks there are. */
  taskPage(filter: ListFilter, ask: PageAsk): Promise<Page<ListedTask>>
  /** The same tasks in the same order, but only what a table shows. */
  rowPage(filter: ListFilter, ask: PageAsk): Promise<Page<TaskRow>>
  /**
   * How many tasks the whole list has. Ended tasks come from counters, unless a parent, a tag, a project, an agent or a time is given;
   * the others are counted.
   */
  listTotals(filter: ListFilter): Promise<ListCount[]>
  /** How many tasks there are, from counters: of all nodes, or of one. */
  counts(node?: NodeId): Promise<TaskCounts>
}
