// Owns reading the journal: one gapless sequence for each node.
import type { Kysely, Selectable } from 'kysely'
import { HoldfastError } from '../../domain/errors.ts'
import type { JournalEvent } from '../../domain/journal/events.ts'
import type { JournalPlace } from '../../domain/journal/place.ts'
import type { NodeId } from '../../domain/names/ids.ts'
import type { JournalFilter, JournalReads } from '../../ports/store/journal.ts'
import { EVENT_SEQ } from '../database/counter-names.ts'
import { type Holding, read } from '../database/holding.ts'
import type { Tables } from '../database/schema.ts'
import { whenGiven } from '../database/when-given.ts'

type Db = Kysely<Tables>
type Reads = 'events' | 'lastSeq' | 'journalEnd' | 'journalStart' | 'journalAfter'

export const journal = (holding: Holding): Pick<JournalReads, Reads> => ({
  events: (after, most, taskId) =>
    read(holding, (db) =>
      eventsAfter(db, holding.nodeId, { after, end: Number.MAX_SAFE_INTEGER, most }, { taskId }),
    ),

  lastSeq: () => read(holding, async (db) => (await lastSeqs(db)).get(holding.nodeId) ?? 0),

  journalEnd: () => read(holding, placeAtEnd),

  journalStart: () =>
    read(holding, async (db) => {
      const at: Record<NodeId, number> = {}
      for (const [node, end] of await lastSeqs(db)) at[node] = await prunedUpTo(db, node, end)
      return { generation: await generationOf(db), at }
    }),

  journalAfter: (place, most, filter = {}) =>
    read(holding, async (db) => {
      if (place.generation !== (await generationOf(db))) throw truncated()
      const ends = await lastSeqs(db)
      if (isBeyond(place, ends)) throw truncated()
      const parts: NodePart[] = []
      for (const [node, end] of ends) {
        const after = place.at[node] ?? 0
        if (filter.nodeId !== undefined && filter.nodeId !== node) continue
        if (after < end) parts.push(await partOf(db, node, { after, end, most }, filter))
      }
      const events = mergedByTime(parts).slice(0, most)
      return { events, place: placeAfter(place, parts, events) }
    }),
})

export async function placeAtEnd(db: Db): Promise<JournalPlace> {
  const at = Object.fromEntries(await lastSeqs(db)) as Record<NodeId, number>
  return { generation: await generationOf(db), at }
}

async function generationOf(db: Db): Promise<string> {
  const { generation } = await db.selectFrom('journal').select('generation').executeTakeFirstOrThrow()
  return generation
}

/** The number of each node's last event. Read before the events: up to this number all of them are there. */
async function lastSeqs(db: Db): Promise<Map<NodeId, number>> {
  const rows = await db
    .selectFrom('counters')
    .select(['nodeId', 'value'])
    .where('name', '=', EVENT_SEQ)
    .orderBy('nodeId')
    .execute()
  return new Map(rows.map(({ nodeId, value }) => [nodeId, value]))
}

/** A restored backup ends before places that were given out after it was made. Its next events get the same numbers again. */
const isBeyond = ({ at }: JournalPlace, ends: ReadonlyMap<string, number>) =>
  Object.entries(at).some(([node, seq]) => seq > (ends.get(node) ?? 0))

type Range = { readonly after: number; readonly end: number; readonly most: number }
type NodePart = Range & { readonly node: NodeId; readonly events: readonly JournalEvent[] }

async function partOf(db: Db, node: NodeId, range: Range, filter: JournalFilter): Promise<NodePart> {
  if (range.after < (await prunedUpTo(db, node, range.end))) throw truncated()
  return { node, ...range, events: await eventsAfter(db, node, range, filter) }
}

/** The number of the last event that was deleted; `end` when none is left. */
async function prunedUpTo(db: Db, node: NodeId, end: number): Promise<number> {
  const { first } = await db
    .selectFrom('events')
    .select((eb) => eb.fn.min<number | null>('seq').as('first'))
    .where('nodeId', '=', node)
    .executeTakeFirstOrThrow()
  return first === null ? end : Number(first) - 1
}

async function eventsAfter(
  db: Db,
  node: NodeId,
  { after, end, most }: Range,
  { taskId, kinds }: JournalFilter,
): Promise<JournalEvent[]> {
  if (kinds?.length === 0) return []
  const rows = await db
    .selectFrom('events')
    .selectAll()
    .where('nodeId', '=', node)
    .where('seq', '>', after)
    .where('seq', '<=', end)
    .$call(whenGiven(taskId, (query, id) => query.where('taskId', '=', id)))
    .$call(whenGiven(kinds, (query, some) => query.where('kind', 'in', some)))
    .orderBy('seq')
    .limit(most)
    .execute()
  return rows.map(eventOf)
}

const eventOf = ({ data, causeNode, causeSeq, ...row }: Selectable<Tables['events']>) =>
  ({
    ...row,
    data: JSON.parse(data),
    cause: causeNode === null || causeSeq === null ? null : { nodeId: causeNode, seq: causeSeq },
  }) as JournalEvent

/** Events of all nodes by time; but those of one node stay in their order, even if its clock jumped. */
function mergedByTime(parts: readonly NodePart[]): JournalEvent[] {
  const queues = parts.map(({ events }) => ({ events, next: 0 }))
  const all: JournalEvent[] = []
  for (;;) {
    let first: { readonly queue: { next: number }; readonly event: JournalEvent } | undefined
    for (const queue of queues) {
      const event = queue.events[queue.next]
      if (event !== undefined && (first === undefined || event.at < first.event.at)) first = { queue, event }
    }
    if (first === undefined) return all
    first.queue.next++
    all.push(first.event)
  }
}

/** A node counts as read to its end when all its matching events were taken, also past events that do not match the filter. */
function placeAfter(
  before: JournalPlace,
  parts: readonly NodePart[],
  taken: readonly JournalEvent[],
): JournalPlace {
  const at = { ...before.at }
  for (const { node, after, end, most, events } of parts) {
    const mine = taken.filter(({ nodeId }) => nodeId === node)
    const isWhole = mine.length === events.length && events.length < most
    at[node] = isWhole ? end : (mine.at(-1)?.seq ?? after)
  }
  return { generation: before.generation, at }
}

const truncated = () =>
  new HoldfastError(
    'JOURNAL_TRUNCATED',
    'Events after this place are not kept, or it is a place of another journal: what is now has to be read anew.',
  )
