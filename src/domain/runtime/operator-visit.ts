// Owns what is known of one time a person typed in the terminal of a runtime: the audit rows of it, put together. Pure.
import type { AuditKind } from '../names/audit-kinds.ts'

type Row = { readonly at: number; readonly kind: AuditKind; readonly detail: string }

export type OperatorVisit = {
  /** Epoch ms of the first that was seen of it; null when nothing was. */
  readonly from: number | null
  /** Everybody who was seen typing, in their order. */
  readonly who: readonly string[]
  /** What was said, oldest first. */
  readonly said: readonly string[]
}

/** `rows`: newest first, and none that is younger than the visit. One that is still going on has no `operator_left` yet. */
export function operatorVisit(rows: readonly Row[]): OperatorVisit {
  const known = rows.filter(({ kind }) => KINDS.has(kind))
  const of = known[0]?.kind === 'operator_left' ? known.slice(1) : known
  const before = of.findIndex(({ kind }) => kind === 'operator_left')
  const visit = (before < 0 ? of : of.slice(0, before)).toReversed()
  const details = (wanted: AuditKind) =>
    visit.filter(({ kind }) => kind === wanted).map(({ detail }) => detail)
  return {
    from: visit[0]?.at ?? null,
    who: [...new Set(details('operator_came'))],
    said: details('operator_prompted'),
  }
}

const KINDS: ReadonlySet<AuditKind> = new Set(['operator_came', 'operator_prompted', 'operator_left'])

/**
 * The prompts on a screen that were not noted yet, both oldest first. The screen begins somewhere in what was noted, and
 * the same words may be said twice: so the two are laid against each other where most of them agree.
 */
export function newPrompts(shown: readonly string[], noted: readonly string[]): readonly string[] {
  for (let most = Math.min(shown.length, noted.length); most > 0; most--) {
    const tail = noted.slice(-most)
    for (let at = 0; at + most <= shown.length; at++)
      if (tail.every((text, index) => shown[at + index] === text)) return shown.slice(at + most)
  }
  return shown
}
