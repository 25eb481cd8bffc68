// Owns what the end of a runtime is judged by, beside what counts for every task. Pure.
import { unsaidPrompts } from '../../delivery/inputs/said.ts'
import type { Config } from '../../domain/settings/config.ts'
import type { Run, Task } from '../../domain/task/task.ts'
import type { Standing } from '../recovering/decide-end.ts'
import { type Between, beginAnew } from '../recovering/go-on-after.ts'

export const isStanding = ({ snapshot }: Pick<Task, 'snapshot'>) => snapshot.standing === true

/** Something was achieved: by a task when it got on, by a runtime when it came up. */
export function retriesSince(task: Task, run: Run): number {
  const hasAchieved = isStanding(task) ? task.phase !== 'starting' : run.progress > 0
  return hasAchieved ? 0 : task.retries
}

/** `since`: what ended before is not counted. */
export function standingFacts(
  between: Between,
  { id }: Run,
  since: number,
  config: Pick<Config, 'runtime.grace'>,
): Standing | null {
  if (!isStanding(between.task)) return null
  const isDeath = (run: Run) =>
    run.id === id || ((run.state === 'exited' || run.state === 'lost') && (run.endedAt ?? 0) >= since)
  return {
    graceMs: config['runtime.grace'],
    deaths: between.runs.filter(isDeath).length,
    promptWaits: unsaidPrompts(between.inputs).length > 0,
    anew: beginAnew(between, 'lost'),
  }
}
