// Owns how many entries were recorded since somebody began to read backwards. Pure.
import type { AuditEntryJson } from '../../../../src/protocol/json/daemon-json.ts'

/** How many of the newest entries stand before those that are held; all of them when a whole page is new. */
export function newerThan(newest: readonly AuditEntryJson[], held: readonly AuditEntryJson[]): number {
  const isHeldFrom = (place: number) => newest.slice(place).every((entry, at) => isSame(entry, held[at]))
  const place = newest.findIndex((_, at) => isHeldFrom(at))
  return place === -1 ? newest.length : place
}

/** Entries have no number; two that are alike are told apart by those around them. */
const isSame = (one: AuditEntryJson, other: AuditEntryJson | undefined) =>
  JSON.stringify(one) === JSON.stringify(other)
