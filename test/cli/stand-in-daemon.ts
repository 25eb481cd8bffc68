// A real HTTP server on a home's unix socket that answers what a test tells it to. Only for the client's side.
import { rmSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { onTestFinished } from 'vitest'
import { homePaths } from '../../src/domain/names/home.ts'
import { tempDir } from '../helpers/temp-dir.ts'

export type Asked = { method: string; path: string; headers: IncomingMessage['headers']; body: unknown }
type Answer = (request: Asked, response: ServerResponse) => unknown

/** Routes are `GET /api/health`, without the query; what an answer returns is sent as JSON, undefined is left to it. */
export async function standInDaemon(routes: Record<string, Answer>, home = tempDir()) {
  const asked: Asked[] = []
  const server = createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request) text += chunk
    const { method = '', url = '', headers } = request
    const one = { method, path: url, headers, body: text === '' ? undefined : JSON.parse(text) }
    asked.push(one)
    const answer = routes[`${method} ${url.split('?')[0]}`]
    const value = answer === undefined ? refuse(response, 'TASK_NOT_FOUND', 404) : answer(one, response)
    if (value !== undefined) response.end(JSON.stringify(value))
  })
  const { socket } = homePaths(home)
  await new Promise<void>((resolve) => server.listen(socket, resolve))
  const stop = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  onTestFinished(async () => {
    await stop()
    rmSync(socket, { force: true })
  })
  return { home, socket, asked, stop }
}

export function refuse(response: ServerResponse, code: string, status: number) {
  response.statusCode = status
  return { code, message: `says ${code}`, hint: 'a hint' }
}

/** The answer to an order for many sessions, whole. */
export const bulk =
  (...lines: object[]) =>
  (_: Asked, response: ServerResponse) =>
    void response.end([...lines, { over: true }].map((line) => `${JSON.stringify(line)}\n`).join(''))
