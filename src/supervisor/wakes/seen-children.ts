// Owns what a parent has seen of its children by itself, because it waited for them: it is not told of that again.
import { tryCommit } from '../../changes/try-commit.ts'
import type { RunId } from '../../domain/names/ids.ts'
import type { Task } from '../../domain/task/task.ts'
import type { OutboxReads } from '../../ports/store/outbox.ts'
import type { RunReads } from '../../ports/store/runs.ts'
import type { Reads } from '../../ports/store/store.ts'
import type { TaskReads } from '../../ports/store/tasks.ts'
import { taskAtWorkIn } from '../starting/parent-task.ts'
import type { Core } from '../task/core.ts'

type Needs = Pick<Core, 'commit'> & Reads<OutboxReads & RunReads & TaskReads>

/** `tasks`: what this run was just told of. Those that it did not start do not matter. */
export async function noteSeen(run: RunId, tasks: readonly Task[], core: Needs): Promise<void> {
  const parent = await taskAtWorkIn(run, core)
  if (parent === undefined) return
  const own = new Set(tasks.filter(({ parentId }) => parentId === parent.id).map(({ id }) => id))
  if (own.size === 0) return
  const rows = (await core.store.unboundFor(parent.id)).filter(({ childId }) => own.has(childId))
  if (rows.length > 0) await tryCommit({ bindOutbox: { parentId: parent.id, rows } }, core)
}
