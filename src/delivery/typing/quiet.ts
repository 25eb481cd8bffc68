// Owns whether somebody is typing in an agent's terminal. Pure.
import type { KeptBack } from '../../domain/conversation/kept-back.ts'
import type { PaneView } from '../../ports/run/terminal.ts'
import type { BoxSeen } from './box-seen.ts'

/** `wall`: epoch ms. `mono`: monotonic ms. */
export type Now = { readonly wall: number; readonly mono: number }

/** Undefined when nobody has typed there for `windowMs`. */
export function personTypes(
  { keyAgeMs }: Pick<PaneView, 'keyAgeMs'>,
  { changedAt, stirSince }: Pick<BoxSeen, 'changedAt' | 'stirSince'>,
  windowMs: number,
  { wall, mono }: Now,
): (KeptBack & { kind: 'person_types' }) | undefined {
  const ages = [
    // After the wall clock was set back, `keyAgeMs` is too small. `stir` changes with each key: no key is younger than it.
    keyAgeMs === null ? Number.POSITIVE_INFINITY : Math.max(keyAgeMs, mono - stirSince),
    changedAt === null ? Number.POSITIVE_INFINITY : mono - changedAt,
  ]
  const age = Math.min(...ages)
  if (age >= windowMs) return undefined
  const lastKeyAt = Math.round(wall - age)
  return { kind: 'person_types', lastKeyAt, until: lastKeyAt + windowMs }
}
