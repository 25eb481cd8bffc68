// A collector of traces on loopback: takes OTLP over HTTP as JSON, and keeps the spans.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'

type Value = { stringValue?: string; intValue?: number | string; doubleValue?: number; boolValue?: boolean }
export type ReceivedSpan = {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  startTimeUnixNano: string
  endTimeUnixNano: string
  status: { code?: number }
  attributes: Record<string, unknown>
}
type Body = {
  resourceSpans: {
    resource: { attributes: { key: string; value: Value }[] }
    scopeSpans: {
      spans: (Omit<ReceivedSpan, 'attributes'> & { attributes: { key: string; value: Value }[] })[]
    }[]
  }[]
}

const plain = (all: { key: string; value: Value }[]) =>
  Object.fromEntries(all.map(({ key, value }) => [key, Object.values(value)[0]]))

/** `answer`: the status of its answers; `undefined` for none at all. `port`: any, when absent. */
export async function otlpReceiver({ port = 0, answer = 200 as number | undefined } = {}) {
  const spans: ReceivedSpan[] = []
  const received = { requests: 0, text: '', resource: {} as Record<string, unknown> }
  const server = createServer(async (request, response) => {
    received.requests++
    const body = (await json(request)) as Body
    received.text += JSON.stringify(body)
    for (const { resource, scopeSpans } of body.resourceSpans) {
      received.resource = plain(resource.attributes)
      for (const span of scopeSpans.flatMap((scope) => scope.spans))
        spans.push({ ...span, attributes: plain(span.attributes) })
    }
    if (answer !== undefined) response.writeHead(answer, { 'content-type': 'application/json' }).end('{}')
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  onTestFinished(close)
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { spans, received, address, close }
}
