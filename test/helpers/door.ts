// A door to a TCP server that can be shut: who is inside is thrown out, and nobody comes in.

import type { AddressInfo } from 'node:net'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

export async function doorTo(port: number) {
  const inside = new Set<Socket>()
  const opened = (at: number) =>
    new Promise<Server>((resolve) => {
      const server = createServer((client) => {
        const other = connect(port, '127.0.0.1')
        for (const [one, to] of [
          [client, other],
          [other, client],
        ] as const) {
          inside.add(one)
          one.pipe(to)
          one.on('error', () => {})
          one.on('close', () => {
            inside.delete(one)
            to.destroy()
          })
        }
      }).listen(at, '127.0.0.1', () => resolve(server))
    })
  let server = await opened(0)
  const { port: own } = server.address() as AddressInfo
  const shut = async () => {
    const gone = new Promise((resolve) => server.close(resolve))
    for (const one of inside) one.destroy()
    await gone
  }
  onTestFinished(shut)
  return {
    port: own,
    shut,
    open: async () => {
      server = await opened(own)
    },
  }
}
