// Owns the order of tasks that wait: who goes on first stands first. Pure.
import type { Priority } from '../../../../src/domain/task/task.ts'
import type { ListedTaskJson } from '../../../../src/protocol/json/task-json.ts'

/** Those who only wait for a free slot, as the daemon takes them; then by the time at which they go on; then the others. */
export const inWaitingOrder = (tasks: readonly ListedTaskJson[]): ListedTaskJson[] =>
  tasks.toSorted(
    (one, other) =>
      groupOf(one) - groupOf(other) ||
      (untilOf(one) ?? '').localeCompare(untilOf(other) ?? '') ||
      rankOf(other) - rankOf(one) ||
      Number(one.started_at === null) - Number(other.started_at === null) ||
      one.created_at.localeCompare(other.created_at) ||
      // Of one second, by the number behind the name.
      one.session_id.localeCompare(other.session_id, 'en', { numeric: true }),
  )

/** Null behind a gate while another task tests whether its cause is over: then no time of its own counts. */
export const untilOf = ({ waits_for, waits_until, phase_until }: ListedTaskJson) =>
  waits_for === null ? (waits_until ?? phase_until) : waits_until

function groupOf(task: ListedTaskJson): number {
  if (untilOf(task) !== null) return 1
  return task.phase === 'queued' && task.waits_for === null ? 0 : 2
}

const RANKS: Readonly<Record<Priority, number>> = { low: 0, normal: 1, high: 2 }
const rankOf = ({ priority }: ListedTaskJson): number => RANKS[priority as Priority] ?? RANKS.normal
