// A daemon of a test's own, asked without the CLI: it may die at any moment.
import type { ChildProcess } from 'node:child_process'
import { request } from 'node:http'
import { connect } from 'node:net'

export const isRunning = (child: ChildProcess | undefined) =>
  child !== undefined && child.exitCode === null && child.signalCode === null

/** Somebody listens there. */
export const accepts = (socket: string) =>
  new Promise<boolean>((resolve) => {
    const probe = connect(socket)
    probe.once('connect', () => resolve(probe.destroy() !== undefined))
    probe.once('error', () => resolve(false))
  })

/** Undefined when the daemon died over it, or said no. */
export function ask<T>(
  socketPath: string,
  method: string,
  path: string,
  body: unknown,
  as: Record<string, string>,
): Promise<T | undefined> {
  return new Promise((resolve) => {
    const headers = { 'content-type': 'application/json', 'x-holdfast-actor': 'test', ...as }
    const call = request({ socketPath, method, path, headers }, (response) => {
      let text = ''
      response.on('data', (more) => (text += more))
      response.on('end', () => resolve(response.statusCode! < 400 ? (JSON.parse(text) as T) : undefined))
      response.on('error', () => resolve(undefined))
    })
    call.on('error', () => resolve(undefined))
    call.end(body === undefined ? undefined : JSON.stringify(body))
  })
}
