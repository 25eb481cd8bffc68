// Owns reading the audit and adding to it, on behalf of other rooms.
import type { AuditKind } from '../../../domain/names/audit-kinds.ts'
import type { TaskId } from '../../../domain/names/ids.ts'
import type { Caller } from '../../../domain/task/caller.ts'
import type { AuditReads } from '../../../ports/store/audit.ts'
import type { RunReads } from '../../../ports/store/runs.ts'
import type { Reads } from '../../../ports/store/store.ts'
import type { Core } from '../../task/core.ts'

export const auditDesk = ({
  store,
  clock,
  commit,
}: Pick<Core, 'clock' | 'commit'> & Reads<AuditReads & RunReads>) => ({
  /** Newest first. Give a page's `next` as `after` to get the page that follows; `next` is null on the last page. */
  page: ((filter, ask) => store.auditPage(filter, ask)) as AuditReads['auditPage'],

  /** For what no other commit records. Without `of`, the row belongs to the task of the run that calls, if one does. */
  async add(kind: AuditKind, caller: Caller, detail: string, of?: TaskId): Promise<void> {
    const taskId = of ?? (caller.kind === 'run' ? ((await store.run(caller.run))?.taskId ?? null) : null)
    await commit({ audit: { at: clock.now(), kind, taskId, actor: caller.name, detail } })
  },
})
