// Owns the proxy between OpenCode's screen and its server: it changes nothing, and notices when the screen begins to follow events.
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

const EVENTS = /\/event(?:\?|$)/

export type ServerProxy = {
  readonly url: string
  /** Resolves when the screen follows events. It would never show a permission that was asked for before. */
  readonly listening: Promise<void>
}

export async function startServerProxy(server: string): Promise<ServerProxy> {
  const { hostname, port } = new URL(server)
  let heard = () => {}
  const listening = new Promise<void>((resolve) => {
    heard = resolve
  })
  const proxy = createServer((from, to) => {
    const { method, url = '/', headers } = from
    const onward = request({ hostname, port, method, path: url, headers }, (answer) => {
      passOn(answer, to)
      if (EVENTS.test(url)) heard()
    })
    onward.on('error', () => to.destroy())
    to.on('close', () => onward.destroy())
    from.pipe(onward)
  })
  await new Promise<void>((ready) => proxy.listen(0, '127.0.0.1', ready))
  return { url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`, listening }
}

function passOn(answer: IncomingMessage, to: ServerResponse): void {
  to.writeHead(answer.statusCode ?? 502, answer.headers).flushHeaders()
  answer.on('error', () => to.destroy())
  answer.pipe(to)
}
