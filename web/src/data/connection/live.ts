// Owns the live stream: one connection for the whole page, which reconnects by itself where it was cut off.
import type { HoldfastEvent } from '../../../../src/client/events.ts'
import type { EventKind } from '../../../../src/domain/journal/events.ts'
import { createSignal } from '../signal.ts'
import { client, Refused } from './call.ts'
import { serverNow } from './server-clock.ts'
import { onSignedOut } from './signed-in.ts'

/** An event of the journal; the other fields depend on its kind (docs/events.md). */
export type LiveEvent = Pick<HoldfastEvent, 'at' | 'task' | 'data'> & { readonly kind: EventKind }

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

/** A browser has six connections for all tabs of one daemon: a tab that nobody sees gives its own back. */
const HIDDEN_MS = 60_000
const PAUSE_MS = 3000

/** The last event that was seen; undefined: begin anew. */
let place: string | undefined
let started = false

/** Keeps the stream open for as long as the page is. */
export async function keepLive(): Promise<void> {
  if (started) return
  started = true
  for (;;) {
    await untilSeen()
    const over = new AbortController()
    const letGo = whenHiddenLong(() => over.abort())
    onSignedOut(() => {
      saySignedOut()
      over.abort()
    })
    await readUntilRefused(over.signal)
    letGo()
    if (!document.hidden) await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
  }
}

async function readUntilRefused(signal: AbortSignal): Promise<void> {
  try {
    for await (const event of client.events({ after: place, signal, onState: hear })) {
      place = event.place
      for (const listener of listeners) listener.event(event as LiveEvent)
    }
    hear('lost')
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    // The daemon does not know this browser, or no longer has the place: then everything is asked anew.
    if (error.status === 401 || error.status === 403) return saySignedOut()
    place = undefined
    live.set({ state: 'cut_off', lastWord: live.get().lastWord ?? serverNow() })
  }
}

function saySignedOut(): void {
  const { state, lastWord } = live.get()
  if (state === 'signed_out') return
  live.set({ state: 'signed_out', lastWord: state === 'live' ? serverNow() : (lastWord ?? serverNow()) })
}

function hear(state: 'open' | 'lost'): void {
  if (state === 'open') {
    live.set({ state: 'live', lastWord: serverNow() })
    // Also when the stream goes on where it was cut off: no event asks again what failed meanwhile.
    for (const { missed } of listeners) missed()
    return
  }
  const { state: before, lastWord } = live.get()
  // Whoever is signed out has no connection to lose.
  if (before !== 'cut_off' && before !== 'signed_out') {
    // Until it was lost, the connection stood.
    live.set({ state: 'cut_off', lastWord: before === 'live' ? serverNow() : lastWord })
  }
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
