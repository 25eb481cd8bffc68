// Owns the journal as a stream: the events of all tasks, for as long as somebody reads them.
import { type Context, Hono } from 'hono'
import { type SSEStreamingApi, streamSSE } from 'hono/streaming'
import { HoldfastError, isHoldfastError } from '../../domain/errors.ts'
import { EVENT_KINDS, type EventKind, isEventKind, type JournalEvent } from '../../domain/journal/events.ts'
import { type JournalPlace, placeOf, placeText } from '../../domain/journal/place.ts'
import { printable } from '../../domain/names/names.ts'
import { nearest } from '../../domain/names/nearest.ts'
import type { JournalFilter, JournalPart } from '../../ports/journal.ts'
import type { Desk } from '../../supervisor/desk.ts'
import type { Uses } from '../context.ts'
import { errorJson } from '../requests/error-json.ts'

const EVENTS_PER_READ = 200
/** How late events can be found that nobody announced, such as those of other nodes. */
const LOOK_AGAIN_MS = 1000
/** How often something is sent at least: only a write shows that the connection is gone. */
const SIGN_OF_LIFE_MS = 15_000

type JournalContext = Uses<'journal' | 'tasks' | 'wait', 'clock' | 'stopping'>

export function journalRoutes(context: JournalContext): Hono {
  const { desk } = context
  const routes = new Hono()

  routes.get('/events', async (c) => {
    const filter = await filterOf(c, desk)
    const place = await beginningOf(c, desk)
    // The first read comes before the stream begins, so that a bad place is refused with an HTTP error.
    const first = await desk.journal.after(place, EVENTS_PER_READ, filter)
    return streamSSE(c, (out) => sendAll(out, { place, first, filter }, context))
  })

  return routes
}

type Reader = { readonly place: JournalPlace; readonly first: JournalPart; readonly filter: JournalFilter }

/** Reads more only when everything before is sent: a slow reader holds up only itself. */
async function sendAll(out: SSEStreamingApi, reader: Reader, context: JournalContext): Promise<void> {
  const { desk, clock, stopping } = context
  const { first, filter } = reader
  const news = desk.wait.newsOf(filter.taskId)
  let { place } = reader
  let quietSince = clock.monotonic()
  try {
    // The reader learns at once that it is heard, also when nothing happens.
    await out.write(': here\n\n')
    for (let part = first; !out.aborted && !stopping.aborted; ) {
      for (const event of part.events) {
        place = { ...place, at: { ...place.at, [event.nodeId]: event.seq } }
        await out.writeSSE(messageOf(event, place))
        quietSince = clock.monotonic()
      }
      place = part.place
      if (clock.monotonic() - quietSince >= SIGN_OF_LIFE_MS) {
        await out.write(': nothing new\n\n')
        quietSince = clock.monotonic()
      }
      if (part.events.length < EVENTS_PER_READ) await news.next(LOOK_AGAIN_MS, stopping)
      part = await desk.journal.after(place, EVENTS_PER_READ, filter)
    }
  } catch (error) {
    // For example, the reader was so slow that its next events are deleted by now.
    if (!isHoldfastError(error)) throw error
    await out.writeSSE({ event: 'error', data: JSON.stringify(errorJson(error)) })
  } finally {
    news.close()
  }
}

const messageOf = ({ seq, nodeId, at, kind, taskId, data }: JournalEvent, place: JournalPlace) => ({
  id: placeText(place),
  event: kind,
  data: JSON.stringify({ seq, node: nodeId, at, task: taskId, ...data }),
})

/** A client that was cut off sends the header `last-event-id` by itself when it connects again. */
async function beginningOf(c: Context, { journal }: Pick<Desk, 'journal'>): Promise<JournalPlace> {
  const after = c.req.header('last-event-id') ?? c.req.query('after')
  if (after !== undefined) return placeOf(after)
  const from = c.req.query('from') ?? 'now'
  if (from === 'start') return journal.start()
  if (from === 'now') return journal.end()
  throw new HoldfastError('INVALID_REQUEST', `'from' must be start or now, not '${printable(from)}'.`)
}

async function filterOf(c: Context, { tasks }: Pick<Desk, 'tasks'>): Promise<JournalFilter> {
  const task = c.req.query('task')
  const kinds = c.req.query('kind')
  return {
    ...(task === undefined ? {} : { taskId: (await tasks.find(task)).id }),
    ...(kinds === undefined ? {} : { kinds: kinds.split(',').map(kindOf) }),
  }
}

function kindOf(word: string): EventKind {
  if (isEventKind(word)) return word
  const guess = nearest(word.slice(0, 80), EVENT_KINDS)
  const hint = guess === undefined ? '' : ` Did you mean '${guess}'?`
  throw new HoldfastError('INVALID_REQUEST', `There is no event '${printable(word, 80)}'.${hint}`)
}
