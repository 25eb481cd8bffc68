// Owns what a parent is told of its children: that one has ended, asks something, or cannot go on; and, where the parent would
// wait for it for ever, that one which stays after its turns has ended its turn.
import type { TaskEvent } from './machine.ts'

/** Of these a parent is told always, so they are stored together with the move that they are. */
const WITH_THE_MOVE = [
  'completed',
  'failed',
  'cancelled',
  'question_asked',
  'escalated',
] as const satisfies readonly TaskEvent[]

export const CHILD_NEWS = [...WITH_THE_MOVE, 'turn_finished'] as const
export type ChildNews = (typeof CHILD_NEWS)[number]

/** Null for a move of which no parent is told, or not every one. */
export const newsIn = (event: TaskEvent): ChildNews | null =>
  WITH_THE_MOVE.find((news) => news === event) ?? null
