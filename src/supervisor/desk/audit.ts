// Owns reading the audit and adding to it, on behalf of other rooms.
import type { AuditKind } from '../../domain/names/audit-kinds.ts'
import type { Caller } from '../../domain/task/caller.ts'
import type { AuditReads, Reads, RunReads } from '../../ports/store.ts'
import type { Core } from '../task/core.ts'

export const auditDesk = ({
  store,
  clock,
  commit,
}: Pick<Core, 'clock' | 'commit'> & Reads<AuditReads & RunReads>) => ({
  /** Newest first. Give a page's `next` as `after` to get the page that follows; `next` is null on the last page. */
  page: ((filter, ask) => store.auditPage(filter, ask)) as AuditReads['auditPage'],

  /** For what no other commit records. When the caller is a run, the row belongs to the run's task. */
  async add(kind: AuditKind, caller: Caller, detail: string): Promise<void> {
    const taskId = caller.kind === 'run' ? ((await store.run(caller.run))?.taskId ?? null) : null
    await commit({ audit: { at: clock.now(), kind, taskId, actor: caller.name, detail } })
  },
})
