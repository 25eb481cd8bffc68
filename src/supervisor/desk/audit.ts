// Owns the audit on behalf of others: who did what, or wanted to.
import type { AuditKind } from '../../domain/names/audit-kinds.ts'
import type { Caller } from '../../domain/task/caller.ts'
import type { AuditReads, Reads, RunReads } from '../../ports/store.ts'
import type { Core } from '../task/core.ts'

export const auditDesk = ({
  store,
  clock,
  commit,
}: Pick<Core, 'clock' | 'commit'> & Reads<AuditReads & RunReads>) => ({
  /** Newest first, at most `most` at a time; `next` is null at the end, and to be given as `after`. */
  page: ((filter, ask) => store.auditPage(filter, ask)) as AuditReads['auditPage'],

  /** For what nothing else records. The row of a run belongs to its task. */
  async add(kind: AuditKind, caller: Caller, detail: string): Promise<void> {
    const taskId = caller.kind === 'person' ? null : ((await store.run(caller.run))?.taskId ?? null)
    await commit({ audit: { at: clock.now(), kind, taskId, actor: caller.name, detail } })
  },
})
