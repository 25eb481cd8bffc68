// Requests to a daemon as no client of ours would send them.
import { request } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import type { World } from './world.ts'

export type Sent = { body?: string | Buffer; headers?: Record<string, string> }
export type Answer = { status: number; body: string }

export function ask(
  world: World,
  method: string,
  path: string,
  { body, headers = {} }: Sent = {},
): Promise<Answer> {
  const type = body === undefined ? {} : { 'content-type': 'application/json' }
  return new Promise((resolve, reject) => {
    const socketPath = join(world.home, 'daemon.sock')
    const all = { ...type, ...headers }
    const call = request({ agent: false, socketPath, method, path, headers: all }, (response) => {
      let text = ''
      response.on('data', (part) => (text += part))
      response.on('end', () => resolve({ status: response.statusCode!, body: text }))
    })
    call.on('error', reject).end(body)
  })
}

/** Goes on writing until it is answered or has written so many MB. */
export function inChunks(world: World, path: string, megabytes: number): Promise<Answer> {
  const part = Buffer.alloc(1024 * 1024, 'x')
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', 'transfer-encoding': 'chunked' }
    const call = request({ socketPath: join(world.home, 'daemon.sock'), method: 'POST', path, headers })
    let answered = false
    call.on('response', (response) => {
      answered = true
      let body = ''
      response.on('data', (text) => (body += text))
      response.on('end', () => resolve({ status: response.statusCode!, body }))
    })
    call.on('error', (error) => answered || reject(error))
    const write = (left: number) => {
      if (answered || left === 0) return void call.end('"')
      if (call.write(part)) setImmediate(() => write(left - 1))
      else call.once('drain', () => write(left - 1))
    }
    call.write('"')
    write(megabytes)
  })
}

/** Bytes as they are; what came back until the connection ended. */
export function raw(world: World, bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(join(world.home, 'daemon.sock'))
    let said = ''
    socket
      .on('data', (text) => (said += text))
      .on('error', reject)
      .on('close', () => resolve(said))
    socket.end(bytes)
  })
}
