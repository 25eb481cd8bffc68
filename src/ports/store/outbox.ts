// Owns what is still to be told outside of the store: rows that commit together with the change they tell of.

import type { NodeId, TaskId } from '../../domain/names/ids.ts'
import type { ChildNews } from '../../domain/task/child-news.ts'

/** Whose rows they are: the name of the subscriber that sees to those of ended parents. */
export const PARENTS = 'parents'

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
  /** The trigger that tells of it, or TOLD; null until the parent knows. */
  readonly boundTrigger: string | null
}

export type OutboxKey = Pick<OutboxRow, 'subscriber' | 'nodeId' | 'seq'>
export type OutboxDraft = Omit<OutboxRow, 'boundTrigger'>

/** In place of a trigger: the parent's next run begins with the news, or it has looked by itself. */
export const TOLD = 'told'

/**
 * The parent knows of these rows: by the trigger that the same commit queues, or without one.
 * TRANSITION_CONFLICT when one of them was told before, or is for somebody else now.
 */
export type OutboxBinding = {
  readonly parentId: TaskId
  readonly rows: readonly OutboxKey[]
}

export interface OutboxReads {
  /** Rows for this task that no trigger tells of yet, in the order of the journal. */
  unboundFor(parentId: TaskId): Promise<OutboxRow[]>
  /** The row of this event, whoever it is for; undefined when nobody is to be told of it, or it is forgotten. */
  outboxRow(key: OutboxKey): Promise<OutboxRow | undefined>
  /** The tasks of this node that have such rows. */
  parentsToTell(): Promise<TaskId[]>
}
