// Owns places in the journal: how far a reader has read the events of each node. Clients get a place as one opaque text.
import { HoldfastError } from '../errors.ts'
import type { NodeId } from '../names/ids.ts'

export type JournalPlace = {
  /** The journal's generation. A place with another generation belongs to another journal. */
  readonly generation: string
  /** By node: the `seq` of the last event that was read. Of a node that is missing, nothing was read yet. */
  readonly at: Readonly<Record<NodeId, number>>
}

/** Where a reader goes on whose place is no longer kept, so that it misses as little as can be: for each node its own place, or the oldest event that is kept. */
export function keptPlace(
  place: JournalPlace,
  { start, end }: { readonly start: JournalPlace; readonly end: JournalPlace },
): JournalPlace {
  const at: Record<NodeId, number> = { ...start.at }
  if (place.generation === start.generation)
    for (const [node, oldest] of Object.entries(start.at) as [NodeId, number][]) {
      const own = place.at[node] ?? 0
      if (own >= oldest && own <= (end.at[node] ?? oldest)) at[node] = own
    }
  return { generation: start.generation, at }
}

/** How many events lie between a place and a later one; null when they are places of two journals. */
export function eventsBetween(from: JournalPlace, to: JournalPlace): number | null {
  if (from.generation !== to.generation) return null
  const nodes = Object.keys(to.at) as NodeId[]
  return nodes.reduce((sum, node) => sum + Math.max(0, (to.at[node] ?? 0) - (from.at[node] ?? 0)), 0)
}

export const placeText = ({ generation, at }: JournalPlace): string =>
  Buffer.from(JSON.stringify([generation, at])).toString('base64url')

/** Throws INVALID_REQUEST for a text that is not a place. */
export function placeOf(text: string): JournalPlace {
  const [generation, at] = parts(text)
  if (typeof generation === 'string' && isCounts(at)) return { generation, at }
  throw new HoldfastError('INVALID_REQUEST', 'This is not a place in the journal. Take it as it was given.')
}

function parts(text: string): readonly unknown[] {
  try {
    const found: unknown = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'))
    return Array.isArray(found) && found.length === 2 ? found : []
  } catch {
    return []
  }
}

const isCounts = (value: unknown): value is JournalPlace['at'] =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  Object.values(value).every((seq) => Number.isSafeInteger(seq) && (seq as number) >= 0)
