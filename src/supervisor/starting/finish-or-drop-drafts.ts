// Owns creations that a crash cut short: what was stored is kept, what was not is removed without a trace.

import type { Reads, TaskReads } from '../../ports/store.ts'
import type { Core } from '../task/core.ts'

export async function finishOrDropDrafts(core: Pick<Core, 'handoff'> & Reads<TaskReads>): Promise<void> {
  for (const draft of await core.handoff.drafts()) {
    const task = await core.store.task(draft.id)
    if (task === undefined) await core.handoff.discard(draft)
    else await core.handoff.commit(task)
  }
}
