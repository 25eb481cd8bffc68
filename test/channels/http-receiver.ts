// A real HTTP server on a port of its own that keeps what it was sent.
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

export type Got = { path: string; headers: IncomingHttpHeaders; body: string }
type Answer = { status?: number; body?: unknown; headers?: Record<string, string> }

export async function startReceiver(
  answer: (got: Got, count: number) => Answer | Promise<Answer> = () => ({}),
) {
  const got: Got[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (part) => (body += part))
    request.on('end', async () => {
      const one = { path: request.url ?? '', headers: request.headers, body }
      got.push(one)
      const { status = 200, body: text = {}, headers = {} } = await answer(one, got.length)
      response.writeHead(status, { 'content-type': 'application/json', ...headers })
      response.end(typeof text === 'string' ? text : JSON.stringify(text))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const close = () =>
    new Promise<void>((resolve) => {
      server.closeAllConnections()
      server.close(() => resolve())
    })
  onTestFinished(close)
  const { port } = server.address() as AddressInfo
  return { got, url: `http://127.0.0.1:${port}`, port, close }
}
