// Owns what a task's agent changed in its repository.
import type { Task } from '../../domain/task/task.ts'
import type { FileDiff, TreeBase, TreeChanges } from '../../ports/work-tree.ts'
import type { DeskNeeds } from './needs.ts'

export const changesDesk = ({ handoff, workTree }: Pick<DeskNeeds, 'handoff' | 'workTree'>) => ({
  /** Undefined when nothing was recorded at its beginning: it works in no repository, or is older than the record. */
  base: (task: Task): Promise<TreeBase | undefined> => handoff.treeBase(task),
  /** Undefined when the repository is gone, or git cannot tell. */
  since: (base: TreeBase): Promise<TreeChanges | undefined> => workTree.changes(base),
  /** One of the changed files. */
  diff: (base: TreeBase, path: string): Promise<FileDiff | undefined> => workTree.diff(base, path),
})
