// Owns what the page knows of the live stream, and who follows it.
import type { HoldfastEvent } from '../../../../src/client/events.ts'
import type { EventKind } from '../../../../src/domain/journal/events.ts'
import { createSignal } from '../signal.ts'
import { joinStream } from './join-stream.ts'
import type { StreamState } from './keep-stream.ts'
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

/** A tab that nobody sees needs no news: what it shows is asked anew when it is looked at again. */
const HIDDEN_MS = 60_000

let started = false

/** Follows the stream for as long as somebody looks. */
export function keepLive(): void {
  if (started) return
  started = true
  const stream = joinStream((news) => {
    if (news.kind === 'state') return hear(news.state)
    for (const listener of listeners) listener.event(news.event as LiveEvent)
  })
  onSignedOut(() => {
    if (live.get().state === 'signed_out') return
    saySignedOut()
    stream.askAgain()
  })
  whileSeen((seen) => {
    if (!seen) hear('lost')
    stream.want(seen)
  })
}

function saySignedOut(): void {
  const { state, lastWord } = live.get()
  if (state === 'signed_out') return
  live.set({ state: 'signed_out', lastWord: state === 'live' ? serverNow() : (lastWord ?? serverNow()) })
}

function hear(state: StreamState): void {
  if (state === 'signed_out') {
    saySignedOut()
    return
  }
  if (state === 'open') {
    live.set({ state: 'live', lastWord: serverNow() })
    // Also when the stream goes on where it was cut off: no event asks again what failed meanwhile.
    for (const { missed } of listeners) missed()
    return
  }
  const { state: before, lastWord } = live.get()
  // Whoever is signed out has no connection to lose.
  if (before === 'cut_off' || (before === 'signed_out' && state === 'lost')) return
  // Until it was lost, the connection stood.
  live.set({ state: 'cut_off', lastWord: before === 'live' ? serverNow() : lastWord })
}

/** Also of a tab that is closed, or kept by the browser for the way back. */
function whileSeen(tell: (seen: boolean) => void): void {
  let seen = false
  let timer: ReturnType<typeof setTimeout> | undefined
  const set = (next: boolean) => {
    clearTimeout(timer)
    if (next === seen) return
    seen = next
    tell(seen)
  }
  const look = () => {
    if (!document.hidden) return set(true)
    clearTimeout(timer)
    timer = setTimeout(() => set(false), HIDDEN_MS)
  }
  look()
  document.addEventListener('visibilitychange', look)
  addEventListener('pagehide', () => set(false))
  addEventListener('pageshow', look)
}
