// Owns whether a failure is shared: how many tasks of the account fail in the same way, and whether
// other tasks make progress meanwhile.

import type { TaskId } from '../../domain/names/ids.ts'
import type { FailureClass } from '../../domain/run/failure-class.ts'
import type { Run } from '../../domain/task/run.ts'
import type { RunReads } from '../../ports/store/runs.ts'
import type { Reads } from '../../ports/store/store.ts'
import type { Core, Watch } from '../task/core.ts'
import type { EndFacts } from './decide-end.ts'

/** `runs`: all runs of the task. `since`: epoch ms; runs that ended before are not counted. */
export async function amongOthers(
  watch: Watch,
  runs: readonly Run[],
  failure: FailureClass | null,
  since: number,
  core: Pick<Core, 'watched'> & Reads<RunReads>,
): Promise<Pick<EndFacts, 'likeFailures' | 'othersMakeProgress'>> {
  const { task, run } = watch
  if (failure === null) return { likeFailures: 0, othersMakeProgress: false }
  if (run.progress > 0) return { likeFailures: 1, othersMakeProgress: false }
  const lately = task.account === null ? [] : await core.store.endedRuns(since, task.account)
  return {
    likeFailures: tasksThatFailAlike(task.id, failure, lately),
    othersMakeProgress: await doOthersMakeProgress(watch, runs, failure, core),
  }
}

/**
 * Counts the tasks, this one included, back to the last run that made progress or failed in another way.
 * A task that fails again and again counts once.
 */
function tasksThatFailAlike(id: TaskId, failure: FailureClass, latestFirst: readonly Run[]): number {
  const others = latestFirst.filter(({ taskId }) => taskId !== id)
  const stop = others.findIndex((run) => run.failure !== failure || run.progress > 0)
  const alike = stop === -1 ? others : others.slice(0, stop)
  return 1 + new Set(alike.map(({ taskId }) => taskId)).size
}

/** Only runs that began after this task's last failure of this kind count: they met the same conditions. */
async function doOthersMakeProgress(
  { task, run }: Watch,
  runs: readonly Run[],
  failure: FailureClass,
  { store, watched }: Pick<Core, 'watched'> & Reads<RunReads>,
): Promise<boolean> {
  const before = runs.findLast(({ number }) => number < run.number)
  if (before === undefined || before.failure !== failure || before.endedAt === null) return false
  const account = failure === 'environment' ? null : task.account
  const since = before.endedAt
  const proves = (other: Run) => other.taskId !== task.id && other.createdAt >= since && hasAchieved(other)
  const isConcerned = (other: Watch) => account === null || other.task.account === account
  if ([...watched.values()].some((other) => isConcerned(other) && proves(other.run))) return true
  return (await store.endedRuns(since, account)).some(proves)
}

/** Exit code 0 is enough, because some agents report nothing else. */
const hasAchieved = ({ progress, failure, exitCode }: Run) =>
  progress > 0 || (failure === null && exitCode === 0)
