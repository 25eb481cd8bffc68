// Owns drafts that a crash left: if the task was stored, its files are finished; otherwise they are removed.

import type { Reads } from '../../ports/store/store.ts'
import type { TaskReads } from '../../ports/store/tasks.ts'
import type { Core } from '../task/core.ts'

export async function finishOrDropDrafts(core: Pick<Core, 'handoff'> & Reads<TaskReads>): Promise<void> {
  for (const draft of await core.handoff.drafts()) {
    const task = await core.store.task(draft.id)
    if (task === undefined) await core.handoff.removeFiles(draft)
    else await core.handoff.finishDraft(task)
  }
}
