// Owns what tabs and their common worker say to each other. The worker has one stream for all tabs: a browser has six
// connections for all tabs of one daemon, and a seventh tab would get no answer to anything.
import type { HoldfastEvent } from '../../../../src/client/events.ts'
import type { StreamState } from './keep-stream.ts'

/** `here`: the tab is still there, and asks whether the worker is. */
export type FromTab = 'join' | 'leave' | 'here' | 'ask_again'

/** `heard`: what the answer that opened the stream told of the daemon. */
export type ToTab =
  | { readonly kind: 'state'; readonly state: StreamState }
  | { readonly kind: 'event'; readonly event: HoldfastEvent }
  | { readonly kind: 'heard'; readonly date: string | null; readonly version: string | null }
  | { readonly kind: 'here' }

/** A worker answers a tab that joins at once. Without an answer there is none, whatever the browser says. */
export const FIRST_WORD_MS = 5000
export const HERE_MS = 15_000
/** A worker or a tab that said nothing for so long is gone: a process can die without a word. */
export const SILENCE_MS = 3 * HERE_MS
