// Owns keeping the live stream open: it goes on where it was cut off, and says what comes and how it stands. It runs in a
// worker, or in the tab where the browser has no such workers.
import { ApiError } from '../../../../src/client/api-error.ts'
import type { Client } from '../../../../src/client/client.ts'
import type { HoldfastEvent } from '../../../../src/client/events.ts'

/** `refused`: the daemon no longer has the place. `signed_out`: it does not know this browser. */
export type StreamState = 'open' | 'lost' | 'refused' | 'signed_out'
export type StreamNews =
  | { readonly kind: 'state'; readonly state: StreamState }
  | { readonly kind: 'event'; readonly event: HoldfastEvent }

export type Stream = {
  /** While nobody wants it, there is no connection. */
  readonly want: (wanted: boolean) => void
  /** Asks the daemon anew whether it lets us in. An open stream does not tell: it was let in before. */
  readonly askAgain: () => void
}

const PAUSE_MS = 3000

export function keepStream(client: Pick<Client, 'events'>, tell: (news: StreamNews) => void): Stream {
  /** The last event that was seen; undefined: begin anew. */
  let place: string | undefined
  let wanted = false
  let isKept = false
  let isWantedAgain = false
  let over = new AbortController()

  const say = (state: StreamState) => tell({ kind: 'state', state })
  const read = async (signal: AbortSignal) => {
    try {
      for await (const event of client.events({ after: place, signal, onState: say })) {
        place = event.place
        tell({ kind: 'event', event })
      }
      if (wanted) say('lost')
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      if (error.status === 401 || error.status === 403) return say('signed_out')
      // What happened since is not known: everything is asked anew.
      place = undefined
      say('refused')
    }
  }
  const keep = async () => {
    if (isKept) return
    isKept = true
    while (wanted) {
      isWantedAgain = false
      over = new AbortController()
      await read(over.signal)
      if (wanted && !isWantedAgain) await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
    }
    isKept = false
  }
  return {
    want(next) {
      isWantedAgain = next && !wanted
      wanted = next
      if (wanted) void keep()
      else over.abort()
    },
    askAgain: () => over.abort(),
  }
}
