// Owns the safeguard against a parent and children that keep each other busy: it is woken again and again, and none of what
// it is told of has completed. Then it is not woken any more, until a person has spoken. Pure.
import type { AuditKind } from '../names/audit-kinds.ts'
import { runIn } from './caller.ts'

type Row = { readonly kind: AuditKind; readonly actor: string }

export type Wakes = {
  /** How often it was woken in a row without progress, since a person spoke. */
  readonly withoutProgress: number
  /** People were told of it. */
  readonly isBlocked: boolean
}

/** A person who does one of these has looked at it. */
const PERSON_SPOKE: ReadonlySet<AuditKind> = new Set([
  'prompt_sent',
  'question_answered',
  'task_resume',
  'task_retry',
])

/** `rows`: those of the parent, newest first. */
export function wakesOf(rows: readonly Row[]): Wakes {
  const end = rows.findIndex((row) => row.kind === 'parent_woken' || isPersonsWord(row))
  const since = end < 0 ? rows : rows.slice(0, end)
  return {
    withoutProgress: since.filter(({ kind }) => kind === 'parent_woken_in_vain').length,
    isBlocked: since.some(({ kind }) => kind === 'parent_wakes_blocked'),
  }
}

const isPersonsWord = ({ kind, actor }: Row) =>
  PERSON_SPOKE.has(kind) && actor !== 'holdfast' && runIn(actor) === undefined
