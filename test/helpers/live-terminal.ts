// A program that looks at a session's live terminal, as the page does.
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { type ClientOptions, WebSocket } from 'ws'
import type { TerminalMessage } from '../../src/protocol/json/terminal-json.ts'
import { waitFor } from './wait-for.ts'
import type { World } from './world.ts'

export type LiveTerminal = Awaited<ReturnType<typeof openTerminal>>
type How = { readonly typing?: boolean; readonly port?: number; readonly headers?: Record<string, string> }

const pathOf = (id: string, typing = false) => `/api/tasks/${id}/terminal${typing ? '?typing=1' : ''}`

const addressOf = (world: World, id: string, { typing, port }: How) =>
  port === undefined
    ? `ws+unix://${join(world.home, 'daemon.sock')}:${pathOf(id, typing)}`
    : `ws://127.0.0.1:${port}${pathOf(id, typing)}`

/** Fails with `status` and `body` when the daemon refuses. */
export async function openTerminal(world: World, id: string, how: How = {}) {
  const options: ClientOptions = { headers: { 'x-holdfast-actor': 'tester', ...how.headers } }
  const socket = new WebSocket(addressOf(world, id, how), options)
  onTestFinished(() => socket.terminate())
  let text = ''
  let bytes = 0
  const told: TerminalMessage[] = []
  let closed: number | undefined
  socket.on('message', (data: Buffer, isBinary) => {
    bytes += data.length
    if (isBinary) text += data.toString()
    else told.push(JSON.parse(data.toString()) as TerminalMessage)
  })
  socket.on('close', (code) => {
    closed = code
  })
  await opened(socket)
  return {
    socket,
    told,
    bytes: () => bytes,
    shows: (words: string) => waitFor(`'${words}' in the live terminal`, () => text.includes(words)),
    types: (keys: string) => socket.send(Buffer.from(keys)),
    /** The code of its end. */
    end: () => waitFor('the end of the live terminal', () => closed),
    async close() {
      socket.close()
      await waitFor('its end', () => closed !== undefined)
    },
  }
}

function opened(socket: WebSocket): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.on('open', () => resolve())
    socket.on('error', reject)
    socket.on('unexpected-response', (_, response) => {
      let body = ''
      response.on('data', (part) => (body += part))
      response.on('end', () => reject(new TerminalRefused(response.statusCode ?? 0, body)))
    })
  })
}

export class TerminalRefused extends Error {
  readonly status: number
  readonly code: string
  constructor(status: number, body: string) {
    super(`${status} ${body}`)
    this.status = status
    this.code = (JSON.parse(body) as { code: string }).code
  }
}

/** The clients of the world's tmux server, without the daemon's own; of one session or all. */
export const clientsOf = async (world: World) =>
  (await world.tmux('list-clients', '-F', '#{client_control_mode} #{session_name} #{client_flags}'))
    .split('\n')
    .filter((line) => line.startsWith('0 '))
