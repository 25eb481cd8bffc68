// Owns the live stream: one connection for the whole page, which reconnects by itself where it was cut off.
import { createParser } from 'eventsource-parser'
import type { EventKind } from '../../../src/domain/journal/events.ts'
import { Refused, send } from './call.ts'
import { serverNow } from './server-clock.ts'
import { createSignal } from './signal.ts'

/** An event of the journal; the other fields depend on its kind (docs/events.md). */
export type LiveEvent = {
  readonly kind: EventKind
  readonly at: number
  readonly task: string | null
  readonly data: Readonly<Record<string, unknown>>
}

/** `signed_out`: the daemon does not know this browser. `lastWord`: epoch ms by the daemon's clock. */
export type LiveState = {
  readonly state: 'connecting' | 'live' | 'cut_off' | 'signed_out'
  readonly lastWord: number | undefined
}

export const live = createSignal<LiveState>({ state: 'connecting', lastWord: undefined })

/** `missed`: events may have been lost, so that everything must be asked again. */
type Listener = { readonly event: (event: LiveEvent) => void; readonly missed: () => void }
const listeners = new Set<Listener>()

export function listen(listener: Listener): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The daemon sends something every 15 s. */
const SILENCE_MS = 40_000
const FIRST_PAUSE_MS = 250
const LONGEST_PAUSE_MS = 5_000
/** A browser has six connections for all tabs of one daemon: a tab that nobody sees gives its own back. */
const HIDDEN_MS = 60_000

let place: string | undefined
let started = false

/** Keeps the stream open for as long as the page is. */
export async function keepLive(): Promise<void> {
  if (started) return
  started = true
  let pause = FIRST_PAUSE_MS
  for (;;) {
    await untilSeen()
    const came = await readOnce()
    pause = came ? FIRST_PAUSE_MS : Math.min(pause * 2, LONGEST_PAUSE_MS)
    await new Promise((resolve) => setTimeout(resolve, pause * (0.75 + Math.random() / 2)))
  }
}

/** True when the connection stood. */
async function readOnce(): Promise<boolean> {
  const cut = new AbortController()
  const letGo = whenHiddenLong(() => cut.abort())
  let silence: ReturnType<typeof setTimeout> | undefined
  const heard = () => {
    clearTimeout(silence)
    silence = setTimeout(() => cut.abort(), SILENCE_MS)
    live.set({ state: 'live', lastWord: serverNow() })
  }
  let stood = false
  try {
    const headers: Record<string, string> = place === undefined ? {} : { 'last-event-id': place }
    const answer = await send('GET /api/events', { query: {} }, headers, cut.signal)
    stood = true
    const resumed = place !== undefined
    heard()
    if (!resumed) for (const { missed } of listeners) missed()
    await readAll(answer, heard)
  } catch (error) {
    hearTrouble(error)
  } finally {
    clearTimeout(silence)
    letGo()
  }
  if (live.get().state === 'live') live.set({ state: 'cut_off', lastWord: live.get().lastWord })
  return stood
}

async function readAll(answer: Response, heard: () => void): Promise<void> {
  const parser = createParser({
    onEvent: ({ id, event, data }) => {
      if (event === 'error') {
        // The place is no longer in the journal: begin anew, and ask for everything.
        place = undefined
        return
      }
      if (id !== undefined) place = id
      const { at, task, ...rest } = JSON.parse(data) as { at: number; task: string | null }
      for (const listener of listeners) listener.event({ kind: event as EventKind, at, task, data: rest })
    },
  })
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader()
  for (let part = await reader?.read(); part?.value !== undefined; part = await reader?.read()) {
    heard()
    parser.feed(part.value)
  }
}

function hearTrouble(error: unknown): void {
  const { lastWord } = live.get()
  const refused = error instanceof Refused && error.code !== null
  const signedOut = refused && (error.status === 401 || error.status === 403)
  // The daemon does not know the place: it begins anew.
  if (refused && !signedOut) place = undefined
  live.set({ state: signedOut ? 'signed_out' : 'cut_off', lastWord })
}

const untilSeen = () =>
  new Promise<void>((resolve) => {
    if (!document.hidden) return resolve()
    document.addEventListener('visibilitychange', () => resolve(), { once: true })
  })

function whenHiddenLong(then: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const look = () => {
    clearTimeout(timer)
    if (document.hidden) timer = setTimeout(then, HIDDEN_MS)
  }
  look()
  document.addEventListener('visibilitychange', look)
  return () => {
    clearTimeout(timer)
    document.removeEventListener('visibilitychange', look)
  }
}
