// Owns the journal as a stream: the events of all tasks, for as long as somebody reads them.
import { type Context, Hono } from 'hono'
import { type SSEStreamingApi, streamSSE } from 'hono/streaming'
import { HoldfastError, isHoldfastError } from '../../../domain/errors.ts'
import { EVENT_KINDS, isEventKind } from '../../../domain/journal/event-texts.ts'
import type { EventKind } from '../../../domain/journal/events.ts'
import { type JournalPlace, placeOf, placeText } from '../../../domain/journal/place.ts'
import { printable } from '../../../domain/names/names.ts'
import { nearest } from '../../../domain/names/nearest.ts'
import type { JournalFilter, JournalPart } from '../../../ports/store/journal.ts'
import { HEADER_PLACE } from '../../../protocol/headers.ts'
import type { Desk } from '../../../supervisor/desk.ts'
import type { Uses } from '../../context.ts'
import { errorJson } from '../../requests/error-json.ts'
import { eventText } from '../../streams/event-text.ts'
import type { FeedReader } from '../../streams/feed-reader.ts'
import { JournalFeed } from '../../streams/journal-feed.ts'

const EVENTS_PER_READ = 200
/** How often something is sent at least: only a write shows that the connection is gone. */
const SIGN_OF_LIFE_MS = 15_000

type JournalContext = Uses<'journal' | 'tasks' | 'wait', 'clock' | 'stopping'>

export function journalRoutes(context: JournalContext): Hono {
  const { desk } = context
  const feed = new JournalFeed(context)
  const routes = new Hono()

  routes.get('/events', async (c) => {
    const filter = await filterOf(c, desk)
    const place = await beginningOf(c, desk)
    // The first read comes before the stream begins, so that a bad place is refused with an HTTP error.
    const first = await desk.journal.after(place, EVENTS_PER_READ, filter)
    c.header(HEADER_PLACE, placeText(place))
    return streamSSE(c, (out) => sendAll(out, { place, first, filter }, feed, context))
  })

  return routes
}

type Reader = { readonly place: JournalPlace; readonly first: JournalPart; readonly filter: JournalFilter }

/** Takes more only when everything before is sent: a slow reader holds up only itself. */
async function sendAll(
  out: SSEStreamingApi,
  reader: Reader,
  feed: JournalFeed,
  context: JournalContext,
): Promise<void> {
  try {
    // The reader learns at once that it is heard, also when nothing happens.
    await out.write(': here\n\n')
    let place = await sendPart(out, reader.place, reader.first)
    while (isOpen(out, context)) {
      const joined = await caughtUp(place)
      if (joined === undefined) return
      place = await sendNews(out, joined, context)
    }
  } catch (error) {
    // For example, the reader was so slow that its next events are deleted by now.
    if (!isHoldfastError(error)) throw error
    await out.writeSSE({ event: 'error', data: JSON.stringify(errorJson(error)) })
  }

  /** Reads the store until the feed goes on from there; undefined when the reader has gone, or the daemon stops. */
  async function caughtUp(from: JournalPlace): Promise<FeedReader | undefined> {
    for (let place = from; isOpen(out, context); ) {
      const joined = await feed.join(place, reader.filter)
      if (joined !== undefined) return joined
      place = await sendPart(
        out,
        place,
        await context.desk.journal.after(place, EVENTS_PER_READ, reader.filter),
      )
    }
    return undefined
  }
}

const isOpen = (out: SSEStreamingApi, { stopping }: JournalContext) => !out.aborted && !stopping.aborted

/** Returns the place behind it. */
async function sendPart(out: SSEStreamingApi, from: JournalPlace, part: JournalPart): Promise<JournalPlace> {
  let place = from
  let text = ''
  for (const event of part.events) {
    place = { ...place, at: { ...place.at, [event.nodeId]: event.seq } }
    text += eventText(event, place)
  }
  if (text !== '') await out.write(text)
  return part.place
}

/** Until the connection ends, or the reader was too slow: then from the place that is returned. */
async function sendNews(
  out: SSEStreamingApi,
  reader: FeedReader,
  context: JournalContext,
): Promise<JournalPlace> {
  try {
    while (isOpen(out, context)) {
      const text = await reader.next(SIGN_OF_LIFE_MS)
      if (text === undefined) break
      await out.write(text === '' ? ': nothing new\n\n' : text)
    }
    return reader.place
  } finally {
    reader.close()
  }
}

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
