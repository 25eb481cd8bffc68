// The built daemon of a home, and questions to it over its socket.

import { spawn } from 'node:child_process'
import { openSync } from 'node:fs'
import { Agent, get, type IncomingMessage, request } from 'node:http'
import { join } from 'node:path'
import { daemonArguments } from '../../src/system/service/daemon-arguments.ts'
import { built, type Home } from './home.ts'
import { until } from './until.ts'

export type Daemon = Awaited<ReturnType<typeof startDaemon>>

/** Returns when it answers: by then every live run is adopted. */
export async function startDaemon({ root, paths, env }: Home) {
  const words = openSync(join(root, 'daemon.err'), 'a')
  const child = spawn(process.execPath, daemonArguments(built('daemon.js'), paths.home), {
    env,
    stdio: ['ignore', words, words],
  })
  const exited = new Promise((resolve) => child.once('exit', resolve))
  const agent = new Agent({ keepAlive: true })
  const at = { socketPath: paths.socket, agent }

  async function ask<T>(
    method: 'GET' | 'POST',
    path: string,
    body?: unknown,
    caller: Readonly<Record<string, string>> = {},
  ): Promise<T> {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      const headers = { ...caller, ...(body === undefined ? {} : { 'content-type': 'application/json' }) }
      const asked = request({ ...at, method, path, headers }, resolve).on('error', reject)
      asked.end(body === undefined ? undefined : JSON.stringify(body))
    })
    const text = (await response.setEncoding('utf8').toArray()).join('')
    if ((response.statusCode ?? 500) >= 400) throw new Error(`${method} ${path}: ${text}`)
    return JSON.parse(text) as T
  }

  await until('the daemon to answer', () => {
    if (child.exitCode !== null) throw new Error(`the daemon ended with ${child.exitCode}`)
    return ask('GET', '/api/health').catch(() => undefined)
  })
  return {
    pid: child.pid!,
    ask,
    follow: (id: string) => follow(paths.socket, id),
    async kill() {
      agent.destroy()
      child.kill('SIGKILL')
      await exited
    },
  }
}

/** Listens to a task's events. Each is known by the moment it arrived here, which is after its commit. */
async function follow(socketPath: string, id: string) {
  const arrived = new Map<string, number>()
  const waiting = new Map<string, (at: number) => void>()
  const response = await new Promise<IncomingMessage>((resolve, reject) =>
    get({ socketPath, path: `/api/tasks/${id}/events` }, resolve).on('error', reject),
  )
  let rest = ''
  response.setEncoding('utf8').on('data', (text: string) => {
    const at = performance.now()
    const lines = (rest + text).split('\n')
    rest = lines.pop()!
    for (const line of lines) {
      const kind = /^event: (\S+)/.exec(line)?.[1]
      if (kind === undefined) continue
      arrived.set(kind, at)
      waiting.get(kind)?.(at)
    }
  })
  response.on('error', () => {})
  return {
    /** When the event came, on this process's monotonic clock. */
    event: (kind: string) =>
      new Promise<number>((resolve) => {
        const at = arrived.get(kind)
        if (at === undefined) waiting.set(kind, resolve)
        else resolve(at)
      }),
    end: () => response.destroy(),
  }
}
