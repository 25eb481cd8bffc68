// Owns what a parent is told of its children: that one has ended, asks something, or cannot go on; and, where the parent would
// wait for it for ever, that one which stays after its turns has ended its turn.
import type { TaskEvent } from './machine.ts'

export const CHILD_NEWS = [
  'completed',
  'failed',
  'cancelled',
  'question_asked',
  'escalated',
  'turn_finished',
] as const satisfies readonly TaskEvent[]
export type ChildNews = (typeof CHILD_NEWS)[number]
