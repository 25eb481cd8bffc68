// Owns archiving ended tasks. Each step may be repeated; the mark in the store comes last, so after a crash all of it is
// done again.
import { setImmediate as letOthersWork } from 'node:timers/promises'
import { tryCommit } from '../../changes/try-commit.ts'
import { HoldfastError, messageOf } from '../../domain/errors.ts'
import type { TaskId } from '../../domain/names/ids.ts'
import { isEnded } from '../../domain/task/machine.ts'
import type { Task } from '../../domain/task/task.ts'
import type { Archivable, ArchiveReads } from '../../ports/store/retention.ts'
import type { Reads } from '../../ports/store/store.ts'
import type { Core } from '../task/core.ts'
import { existingTask } from '../task/existing-task.ts'
import { tidyTask } from '../task/tidy-task.ts'
import type { UpkeepNeeds } from './needs.ts'

const AT_ONCE = 5
const PER_READ = 1000

/** Returns false when the task was archived before. TASK_ACTIVE while it has not ended. */
export function archiveTask(id: TaskId, by: string, core: UpkeepNeeds): Promise<boolean> {
  return core.withLock(id, async () => {
    const task = await existingTask(id, core)
    if (task.archivedAt !== null) return false
    if (!isEnded(task.status))
      throw new HoldfastError('TASK_ACTIVE', `Session ${id} has not ended: only ended sessions are archived.`)
    if ((await core.store.untidied()).includes(id)) await tidyTask(id, core)
    await putAway(task, by, core)
    return true
  })
}

async function putAway(task: Task, by: string, core: UpkeepNeeds): Promise<void> {
  const at = core.clock.now()
  await core.handoff.archive(task, at)
  for (const run of await core.store.runsOf(task.id)) await core.runFiles.shrink(run.id)
  const audit = { at, kind: 'task_archived', taskId: task.id, actor: by, detail: task.status } as const
  if ((await tryCommit({ archive: { id: task.id, at }, audit }, core)) === undefined) return
  core.upkeep.sizes.delete(task.id)
}

/** Archives completed tasks that are old enough, a few per call. */
export async function archiveByAge(core: UpkeepNeeds): Promise<void> {
  const after = core.config['archive.after']
  if (after === null) return
  for (const { id } of await core.store.archivable(core.clock.now() - after, AT_ONCE, {
    statuses: ['completed'],
  }))
    await archiveTask(id, 'holdfast', core).catch((error) =>
      core.log.error('could not archive', { task: id, error: messageOf(error) }),
    )
}

/** Every ended task that is older than `ageMs`, oldest first; archived ones only with `archived`. */
export async function olderThan(
  ageMs: number,
  { store, clock }: Pick<Core, 'clock'> & Reads<ArchiveReads>,
  { archived = false } = {},
): Promise<TaskId[]> {
  const before = clock.now() - ageMs
  const ids: TaskId[] = []
  for (let after: Archivable | undefined; ; ) {
    const some = await store.archivable(before, PER_READ, { after, archived })
    ids.push(...some.map(({ id }) => id))
    after = some.at(-1)
    if (some.length < PER_READ) return ids
    await letOthersWork()
  }
}
