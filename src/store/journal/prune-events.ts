// Owns deleting old events: only from the beginning of each node's sequence, and not before its subscribers had them.
import { readSubscriberName } from '../../domain/journal/subscriber-name.ts'
import type { NodeId } from '../../domain/names/ids.ts'
import type { Subscriber } from '../../ports/store/journal.ts'
import type { Pruned, PruneLimits } from '../../ports/store/retention.ts'
import type { Tx } from '../database/holding.ts'
import { allSubscribers } from './subscribers.ts'

type Limits = Pick<PruneLimits, 'eventsBefore' | 'eventsBeforeAll'>

export async function pruneEvents(
  tx: Tx,
  limits: Limits,
  most: number,
): Promise<Pick<Pruned, 'events' | 'heldBy'>> {
  const readers = await allSubscribers(tx)
  const nodes = await tx.selectFrom('events').select('nodeId').distinct().execute()
  const heldBy = new Set<string>()
  let events = 0
  for (const { nodeId } of nodes) {
    const concerned = readers.filter(({ name }) => (readSubscriberName(name).node ?? nodeId) === nodeId)
    const pruned = await pruneNode(tx, nodeId, limits, concerned, most)
    events += pruned.events
    for (const name of pruned.heldBy) heldBy.add(name)
  }
  return { events, heldBy: [...heldBy].sort() }
}

/** Deletes only up to the first event that must stay, so that the rest has no gaps even if the clock jumped. */
async function pruneNode(
  tx: Tx,
  nodeId: NodeId,
  { eventsBefore, eventsBeforeAll }: Limits,
  readers: readonly Subscriber[],
  most: number,
): Promise<Pick<Pruned, 'events' | 'heldBy'>> {
  const oldest = await tx
    .selectFrom('events')
    .select(['seq', 'at'])
    .where('nodeId', '=', nodeId)
    .orderBy('seq')
    .limit(most)
    .execute()
  const handled = Math.min(...readers.map(({ place }) => place.at[nodeId] ?? 0), Number.POSITIVE_INFINITY)
  const isOld = ({ at }: { at: number }) => at < eventsBefore
  const mayGo = (event: { seq: number; at: number }) =>
    isOld(event) && (event.seq <= handled || event.at < eventsBeforeAll)
  const kept = oldest.findIndex((event) => !mayGo(event))
  const next = oldest[kept]
  const last = (kept === -1 ? oldest : oldest.slice(0, kept)).at(-1)
  const isHeld = next !== undefined && isOld(next)
  const heldBy = readers.flatMap(({ name, place }) =>
    isHeld && (place.at[nodeId] ?? 0) < next.seq ? name : [],
  )
  if (last === undefined) return { events: 0, heldBy }
  const { numDeletedRows } = await tx
    .deleteFrom('events')
    .where('nodeId', '=', nodeId)
    .where('seq', '<=', last.seq)
    .executeTakeFirstOrThrow()
  return { events: Number(numDeletedRows), heldBy }
}
