// Owns following the journal: server-sent events, resumed at the last one after every lost connection.
import { createParser } from 'eventsource-parser'
import { HEADER_PLACE } from '../protocol/headers.ts'
import { ApiError } from './api-error.ts'

export type HoldfastEvent = {
  /** Where it is in the journal: give it as `after` to go on behind it. */
  readonly place: string
  readonly kind: string
  readonly seq: number
  readonly node: string
  readonly at: number
  /** The session; null for an event of none. */
  readonly task: string | null
  /** The event that Holdfast handled when it appended this one; null for what did not follow from an event. */
  readonly cause: { readonly node: string; readonly seq: number } | null
  /** How many events led to it in this way. */
  readonly depth: number
  readonly data: Readonly<Record<string, unknown>>
}

export type EventsOptions = {
  /** Only of this session. */
  readonly task?: string
  readonly kinds?: readonly string[]
  /** The `place` of the last event that was seen; otherwise only new ones come. */
  readonly after?: string
  readonly from?: 'start' | 'now'
  readonly signal?: AbortSignal
  /** `open`: connected; what changed before that should be read anew the first time. */
  readonly onState?: (state: 'open' | 'lost') => void
}

type Ask = (path: string, init: RequestInit) => Promise<Response>

const FIRST_PAUSE_MS = 250
const LONGEST_PAUSE_MS = 10_000
/** The daemon says something at least every 15 seconds: silence for longer is a connection that is gone. */
const LONGEST_SILENCE_MS = 40_000

/** Throws what the daemon refuses for good, such as JOURNAL_TRUNCATED; everything else is tried again. */
export async function* readEvents(ask: Ask, options: EventsOptions): AsyncGenerator<HoldfastEvent> {
  const { signal, onState } = options
  let after = options.after
  for (let pauseMs = FIRST_PAUSE_MS; !signal?.aborted; ) {
    try {
      const opened = (place: string | null) => {
        // Cut off before the first event, it goes on where it began, and not at the end of that time.
        after ??= place ?? undefined
        onState?.('open')
      }
      for await (const event of readOnce(ask, { ...options, after }, opened)) {
        pauseMs = FIRST_PAUSE_MS
        after = event.place
        yield event
      }
    } catch (error) {
      if (signal?.aborted) return
      if (error instanceof ApiError && error.status >= 400 && error.status < 500 && error.status !== 429)
        throw error
    }
    onState?.('lost')
    await pause(pauseMs, signal)
    pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)
  }
}

async function* readOnce(
  ask: Ask,
  { task, kinds, after, from, signal }: EventsOptions,
  opened: (place: string | null) => void,
): AsyncGenerator<HoldfastEvent> {
  const query = new URLSearchParams()
  if (task !== undefined) query.set('task', task)
  if (kinds !== undefined) query.set('kind', kinds.join(','))
  if (after !== undefined) query.set('after', after)
  else if (from !== undefined) query.set('from', from)
  const silence = new AbortController()
  const stop = () => silence.abort()
  signal?.addEventListener('abort', stop)
  let watch = setTimeout(stop, LONGEST_SILENCE_MS)
  try {
    const response = await ask(`/api/events?${query}`, { signal: silence.signal })
    opened(response.headers.get(HEADER_PLACE))
    const found: HoldfastEvent[] = []
    const parser = createParser({ onEvent: (message) => void found.push(eventOf(message)) })
    const text = new TextDecoder()
    for await (const chunk of chunksOf(response)) {
      clearTimeout(watch)
      watch = setTimeout(stop, LONGEST_SILENCE_MS)
      parser.feed(text.decode(chunk, { stream: true }))
      yield* found.splice(0)
    }
  } finally {
    clearTimeout(watch)
    signal?.removeEventListener('abort', stop)
    silence.abort()
  }
}

/** Not every browser can iterate over a stream. */
async function* chunksOf({ body }: Response): AsyncGenerator<Uint8Array> {
  const reader = body?.getReader()
  for (;;) {
    const { done, value } = (await reader?.read()) ?? { done: true, value: undefined }
    if (done || value === undefined) return
    yield value
  }
}

function eventOf({
  id = '',
  event = '',
  data,
}: {
  id?: string
  event?: string
  data: string
}): HoldfastEvent {
  const told = JSON.parse(data) as Record<string, unknown>
  if (event === 'error')
    throw new ApiError({ ...(told as { code: 'JOURNAL_TRUNCATED'; message: string }), status: 410 })
  const { seq, node, at, task, cause, depth, ...rest } = told
  return {
    place: id,
    kind: event,
    seq: Number(seq),
    node: String(node),
    at: Number(at),
    task: (task as string | null) ?? null,
    cause: (cause as HoldfastEvent['cause']) ?? null,
    depth: Number(depth ?? 0),
    data: rest,
  }
}

const pause = (ms: number, signal: AbortSignal | undefined) =>
  new Promise<void>((resolve) => {
    if (signal?.aborted) return resolve()
    const over = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', over)
      resolve()
    }
    const timer = setTimeout(over, ms)
    signal?.addEventListener('abort', over)
  })
