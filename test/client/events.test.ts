import { getEventListeners } from 'node:events'
import { expect, test } from 'vitest'
import { readEvents } from '../../src/client/events.ts'

test('a follower that connects again and again leaves nothing listening to its signal, and ends with it at once', async () => {
  const stop = new AbortController()
  const listening: number[] = []
  let stoppedAt = 0
  const ask = async () => {
    // What listens while it asks: one, to end this request.
    listening.push(getEventListeners(stop.signal, 'abort').length)
    if (listening.length === 3) {
      stoppedAt = Date.now()
      stop.abort()
    }
    return new Response('')
  }
  for await (const _ of readEvents(ask, { signal: stop.signal })) throw new Error('there is no event')
  // The next pause would be one second.
  expect(Date.now() - stoppedAt).toBeLessThan(500)
  expect(listening).toEqual([1, 1, 1])
  expect(getEventListeners(stop.signal, 'abort')).toEqual([])
})
