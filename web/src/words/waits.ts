// Owns the words for what a task waits for. Pure.
import type { TaskJson } from '../../../src/protocol/json/task-json.ts'

const WAITS: Readonly<Record<NonNullable<TaskJson['waits_for']>, string>> = {
  tmux: 'waits for tmux',
  children: 'waits for the tasks that it started',
  limit: 'behind a usage limit',
  environment: 'behind an outage',
  breaker: 'behind a gate: too many failed',
  time: 'waits for a time',
}

/** Undefined when it waits for none of these. */
export const waitsWord = (what: TaskJson['waits_for']): string | undefined =>
  what === null ? undefined : WAITS[what]
