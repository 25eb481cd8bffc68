// Owns recording what a task's repository looked like when it began. Of use, but not needed: nothing waits for it, and without
// it a task says that nothing was recorded.
import { messageOf } from '../../domain/errors.ts'
import type { Task } from '../../domain/task/task.ts'
import type { TreeBase } from '../../ports/files/work-tree.ts'
import type { Core } from '../task/core.ts'

/** Never rejects. */
export async function treeAtBeginning(
  dir: string,
  { workTree, log }: Pick<Core, 'workTree' | 'log'>,
): Promise<TreeBase | undefined> {
  try {
    return await workTree.base(dir)
  } catch (error) {
    log.error('could not look at a repository', { dir, error: messageOf(error) })
    return undefined
  }
}

/** Never rejects. */
export async function keepTree(
  task: Task,
  tree: Promise<TreeBase | undefined>,
  { handoff, log }: Pick<Core, 'handoff' | 'log'>,
): Promise<void> {
  try {
    const base = await tree
    if (base !== undefined) await handoff.keepTreeBase(task, base)
  } catch (error) {
    log.error('could not keep the state of a repository', { task: task.id, error: messageOf(error) })
  }
}
