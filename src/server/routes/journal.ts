// Owns the journal as a stream: the events of all tasks, for as long as somebody reads them.
import { type Context, Hono } from 'hono'
import { type SSEStreamingApi, streamSSE } from 'hono/streaming'
import { HoldfastError, isHoldfastError } from '../../domain/errors.ts'
import { EVENT_KINDS, type EventKind, isEventKind, type JournalEvent } from '../../domain/journal/events.ts'
import { type JournalPlace, placeOf, placeText } from '../../domain/journal/place.ts'
import { printable } from '../../domain/names/names.ts'
import { nearest } from '../../domain/names/nearest.ts'
import type { JournalFilter, JournalPart } from '../../ports/journal.ts'
import type { Store } from '../../ports/store.ts'
import { EVERYTHING } from '../../supervisor/kernel/waiters.ts'
import { findTask } from '../../supervisor/task/find-task.ts'
import type { ServerContext } from '../context.ts'
import { errorJson } from '../requests/error-json.ts'
import { Rings } from '../streams/rings.ts'

const EVENTS_PER_READ = 200
/** Other nodes' events and missed news are found by then. */
const LOOK_AGAIN_MS = 1000
/** A connection that is gone is noticed by then. */
const SIGN_OF_LIFE_MS = 15_000

export function journalRoutes(context: ServerContext): Hono {
  const { store } = context.supervisor.core
  const routes = new Hono()

  routes.get('/events', async (c) => {
    const filter = await filterOf(c, store)
    const place = await beginningOf(c, store)
    // What cannot be read is refused before the stream begins.
    const first = await store.journalAfter(place, EVENTS_PER_READ, filter)
    return streamSSE(c, (out) => sendAll(out, { place, first, filter }, context))
  })

  return routes
}

type Reader = { readonly place: JournalPlace; readonly first: JournalPart; readonly filter: JournalFilter }

/** Reads on only when all before is sent: who is slow waits for itself. */
async function sendAll(out: SSEStreamingApi, reader: Reader, context: ServerContext): Promise<void> {
  const { core } = context.supervisor
  const { first, filter } = reader
  const rings = new Rings([filter.taskId ?? EVERYTHING], core)
  let { place } = reader
  let quietSince = core.clock.monotonic()
  try {
    for (let part = first; !out.aborted && !context.stopping.aborted; ) {
      for (const event of part.events) {
        place = { ...place, at: { ...place.at, [event.nodeId]: event.seq } }
        await out.writeSSE(messageOf(event, place))
        quietSince = core.clock.monotonic()
      }
      place = part.place
      if (core.clock.monotonic() - quietSince >= SIGN_OF_LIFE_MS) {
        await out.write(': nothing new\n\n')
        quietSince = core.clock.monotonic()
      }
      if (part.events.length < EVENTS_PER_READ) await rings.next(LOOK_AGAIN_MS, core, context.stopping)
      part = await core.store.journalAfter(place, EVENTS_PER_READ, filter)
    }
  } catch (error) {
    // It was so slow that what comes next is no longer kept.
    if (!isHoldfastError(error)) throw error
    await out.writeSSE({ event: 'error', data: JSON.stringify(errorJson(error)) })
  } finally {
    rings.close()
  }
}

const messageOf = ({ seq, nodeId, at, kind, taskId, data }: JournalEvent, place: JournalPlace) => ({
  id: placeText(place),
  event: kind,
  data: JSON.stringify({ seq, node: nodeId, at, task: taskId, ...data }),
})

/** A reader that was cut off sends the header by itself. */
async function beginningOf(c: Context, store: Store): Promise<JournalPlace> {
  const after = c.req.header('last-event-id') ?? c.req.query('after')
  if (after !== undefined) return placeOf(after)
  const from = c.req.query('from') ?? 'now'
  if (from === 'start') return store.journalStart()
  if (from === 'now') return store.journalEnd()
  throw new HoldfastError('INVALID_REQUEST', `'from' must be start or now, not '${printable(from)}'.`)
}

async function filterOf(c: Context, store: Store): Promise<JournalFilter> {
  const task = c.req.query('task')
  const kinds = c.req.query('kind')
  return {
    ...(task === undefined ? {} : { taskId: (await findTask(store, task)).id }),
    ...(kinds === undefined ? {} : { kinds: kinds.split(',').map(kindOf) }),
  }
}

function kindOf(word: string): EventKind {
  if (isEventKind(word)) return word
  const guess = nearest(word.slice(0, 80), EVENT_KINDS)
  const hint = guess === undefined ? '' : ` Did you mean '${guess}'?`
  throw new HoldfastError('INVALID_REQUEST', `There is no event '${printable(word, 80)}'.${hint}`)
}
