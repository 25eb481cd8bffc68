// Owns what a parent is told of its children: that one has ended, asks something, or cannot go on.
import type { TaskEvent } from './machine.ts'

export const CHILD_NEWS = [
  'completed',
  'failed',
  'cancelled',
  'question_asked',
  'escalated',
] as const satisfies readonly TaskEvent[]
export type ChildNews = (typeof CHILD_NEWS)[number]
