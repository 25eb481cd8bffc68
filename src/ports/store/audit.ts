// Owns the record of who did what.

import type { AuditKind } from '../../domain/names/audit-kinds.ts'
import type { TaskId } from '../../domain/names/ids.ts'

export interface AuditReads {
  /** Newest first; `since` is included. */
  audits(filter: { since?: number; taskId?: TaskId; kind?: AuditKind; limit?: number }): Promise<AuditEntry[]>
  /** A page of at most `most` rows, newest first. `next` is the `after` of the next page; null at the end. */
  auditPage(
    filter: { since?: number; taskId?: TaskId; kind?: AuditKind },
    ask: { after: number | null; most: number },
  ): Promise<{ items: AuditEntry[]; next: number | null }>
}

export type AuditEntry = {
  readonly at: number
  readonly kind: AuditKind
  readonly taskId: TaskId | null
  readonly actor: string
  readonly detail: string
}
