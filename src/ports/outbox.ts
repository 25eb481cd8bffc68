// Owns what is still to be told outside of the store: rows that commit together with the change they tell of.
import type { NodeId, TaskId } from '../domain/names/ids.ts'
import type { ChildNews } from '../domain/task/child-news.ts'

/** One event of a child that its parent is to be told of. Keyed by the event, so that it is there once. */
export type OutboxRow = {
  readonly subscriber: string
  readonly nodeId: NodeId
  readonly seq: number
  /** Who is woken; null when no ancestor lives: then people were told. */
  readonly parentId: TaskId | null
  readonly childId: TaskId
  readonly what: ChildNews
  readonly at: number
  /** The trigger that tells of it; null until there is one. */
  readonly boundTrigger: string | null
}

export type OutboxDraft = Omit<OutboxRow, 'boundTrigger'>

export interface OutboxReads {
  /** Rows for this task that no trigger tells of yet, in the order of the journal. */
  unboundFor(parentId: TaskId): Promise<OutboxRow[]>
}
