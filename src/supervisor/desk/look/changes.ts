// Owns what a task's agent changed in its repository.
import type { Task } from '../../../domain/task/task.ts'
import type { TreeBase, TreeChanges, TreeDiff } from '../../../ports/files/work-tree.ts'
import type { DeskNeeds } from '../needs.ts'

export const changesDesk = ({ handoff, workTree }: Pick<DeskNeeds, 'handoff' | 'workTree'>) => ({
  /** Undefined when nothing was recorded at its beginning: it works in no repository, or is older than the record. */
  base: (task: Task): Promise<TreeBase | undefined> => handoff.treeBase(task),
  since: (base: TreeBase): Promise<TreeChanges> => workTree.changes(base),
  /** Undefined when this file did not change, or git cannot tell. */
  diff: (base: TreeBase, path: string): Promise<TreeDiff | undefined> => workTree.diff(base, [path]),
})
