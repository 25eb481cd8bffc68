// Owns reading server-sent events as they come.
import type { Readable } from 'node:stream'
import { createParser } from 'eventsource-parser'

/** In characters. Files and images are part of an event; but a longer event means that the server is broken. */
const LONGEST_EVENT = 64 * 1024 * 1024

/** Takes the data of each event until the stream ends. An event without its end was cut off, and is dropped. */
export async function readEvents(
  stream: Readable,
  take: (data: string) => void,
  longest = LONGEST_EVENT,
): Promise<void> {
  const decoder = new TextDecoder()
  let isTooLong = false
  const parser = createParser({
    onEvent: ({ data }) => take(data),
    onError: ({ type }) => {
      if (type === 'max-buffer-size-exceeded') isTooLong = true
    },
    maxBufferSize: longest,
  })
  for await (const bytes of stream) {
    parser.feed(decoder.decode(bytes, { stream: true }))
    // If we went on after it, the rest of this event would be taken for an event.
    if (isTooLong) throw new Error(`opencode sent an event of more than ${longest} characters`)
  }
}
