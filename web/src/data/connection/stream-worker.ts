// The worker that all tabs of one browser share: it has the one stream, and lives as long as any of them.
import { createClient } from '../../../../src/client/client.ts'
import { HEADER_ACTOR, HEADER_VERSION } from '../../../../src/protocol/headers.ts'
import { keepStream, type StreamState } from './keep-stream.ts'
import { type FromTab, HERE_MS, SILENCE_MS, type ToTab } from './shared-stream.ts'

/** When each tab was last heard of, by the worker's own monotonic clock. */
const tabs = new Map<MessagePort, number>()
let state: StreamState | undefined

function tellAll(news: ToTab): void {
  for (const port of tabs.keys()) port.postMessage(news)
}

const client = createClient({
  send: async (path, init) => {
    const answer = await fetch(path, { ...init, cache: 'no-store' })
    tellAll({ kind: 'heard', date: answer.headers.get('date'), version: answer.headers.get(HEADER_VERSION) })
    return answer
  },
  version: __VERSION__,
  headers: { [HEADER_ACTOR]: 'page' },
})

const stream = keepStream(client, (news) => {
  if (news.kind === 'state') state = news.state
  tellAll(news)
})

function leave(port: MessagePort): void {
  tabs.delete(port)
  if (tabs.size > 0) return
  state = undefined
  stream.want(false)
}

function hear(port: MessagePort, said: FromTab): void {
  if (said === 'leave') {
    leave(port)
    return
  }
  const isNew = !tabs.has(port)
  if (said === 'here' && isNew) return
  tabs.set(port, performance.now())
  port.postMessage({ kind: 'here' } satisfies ToTab)
  if (said === 'ask_again') stream.askAgain()
  if (said !== 'join') return
  // What came before is asked for by the tab itself, as after every opening.
  if (state !== undefined) port.postMessage({ kind: 'state', state } satisfies ToTab)
  stream.want(true)
}

addEventListener('connect', (event) => {
  for (const port of (event as MessageEvent).ports)
    port.onmessage = ({ data }: MessageEvent<FromTab>) => hear(port, data)
})

/** A tab whose process died did not say that it goes. */
setInterval(() => {
  for (const [port, at] of tabs) if (performance.now() - at > SILENCE_MS) leave(port)
}, HERE_MS)
