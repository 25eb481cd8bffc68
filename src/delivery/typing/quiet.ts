// Owns whether a person's hands are at an agent's terminal. Pure.
import type { KeptBack } from '../../domain/conversation/kept-back.ts'
import type { PaneView } from '../../ports/terminal.ts'
import type { BoxSeen } from './box-seen.ts'

export type Now = { readonly wall: number; readonly mono: number }

/** Undefined when nobody typed there for so long. */
export function personTypes(
  { keyAgeMs }: Pick<PaneView, 'keyAgeMs'>,
  { changedAt, stirSince }: Pick<BoxSeen, 'changedAt' | 'stirSince'>,
  windowMs: number,
  { wall, mono }: Now,
): (KeptBack & { kind: 'person_types' }) | undefined {
  const ages = [
    // The terminal's clock may have been set back; what did not change here all the while did not.
    keyAgeMs === null ? Number.POSITIVE_INFINITY : Math.max(keyAgeMs, mono - stirSince),
    changedAt === null ? Number.POSITIVE_INFINITY : mono - changedAt,
  ]
  const age = Math.min(...ages)
  if (age >= windowMs) return undefined
  const lastKeyAt = Math.round(wall - age)
  return { kind: 'person_types', lastKeyAt, until: lastKeyAt + windowMs }
}
