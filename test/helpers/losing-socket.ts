// Stands between clients and the daemon of a world, and loses answers.
import { renameSync, rmSync } from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { World } from './world.ts'

export type LosingSocket = {
  /** The next answer to a request that begins so is lost, after the daemon gave it; `then` is done before the client notices. */
  lose(begins: string, then?: () => Promise<void>): void
  /** The keys of the requests that begin so, in their order. */
  keys(begins: string): string[]
  /** Lets clients reach the daemon themselves again. */
  close(): void
}

export async function losingSocket(world: World): Promise<LosingSocket> {
  const front = join(world.home, 'daemon.sock')
  const behind = join(world.home, 'behind.sock')
  renameSync(front, behind)
  const requests: string[] = []
  let losing: { begins: string; then: () => Promise<void> } | undefined

  const serve = (client: Socket) => {
    const daemon = connect(behind)
    let asked = ''
    const answer: Buffer[] = []
    client.on('data', (bytes) => {
      asked += bytes.toString('latin1')
      daemon.write(bytes)
    })
    daemon.on('data', (bytes) => void answer.push(bytes))
    daemon.on('end', async () => {
      requests.push(asked)
      const lost = losing !== undefined && asked.startsWith(losing.begins) ? losing : undefined
      if (lost === undefined) return void client.end(Buffer.concat(answer))
      losing = undefined
      await lost.then()
      client.destroy()
    })
    // A daemon that stops, or a client that goes away.
    daemon.on('error', () => client.destroy())
    client.on('error', () => daemon.destroy())
  }
  const server = createServer(serve)
  await new Promise<void>((resolve) => server.listen(front, resolve))
  const close = () => {
    server.close()
    rmSync(front, { force: true })
  }
  onTestFinished(() => void server.close())
  return {
    lose(begins, then = async () => {}) {
      losing = { begins, then }
    },
    keys: (begins) =>
      requests
        .filter((request) => request.startsWith(begins))
        .map((request) => /^idempotency-key: (.*)\r$/im.exec(request)?.[1] ?? ''),
    close,
  }
}
