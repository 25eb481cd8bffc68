import type { AuditEntry } from '../../src/ports/store/audit.ts'
import { NOON } from './ids.ts'

export const anAudit = (changes: Partial<AuditEntry> = {}): AuditEntry => ({
  at: NOON,
  kind: 'task_created',
  taskId: null,
  actor: 'person',
  detail: '',
  ...changes,
})
