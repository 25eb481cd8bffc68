// Owns which tasks ended on the day of a time. Pure.
import type { TaskJson } from '../../../../src/protocol/json/task-json.ts'
import { isSameDay, timeOf } from '../../words/time.ts'

/** The one that ended last comes first. */
export function endedOn<Task extends Pick<TaskJson, 'completed_at'>>(
  tasks: readonly Task[],
  now: number | undefined,
): Task[] {
  const endOf = ({ completed_at: at }: Task) => (at === null ? undefined : timeOf(at))
  return tasks
    .filter((task) => {
      const end = endOf(task)
      return end !== undefined && now !== undefined && isSameDay(end, now)
    })
    .sort((one, other) => (endOf(other) ?? 0) - (endOf(one) ?? 0))
}
