// Owns by which way a request came: what the listener said, never what the request says.
import type { IncomingMessage } from 'node:http'
import type { Context } from 'hono'
import type { WebSocket } from 'ws'
import type { Caller } from '../domain/task/caller.ts'

/** `socket`: the unix socket, which only its owner can use. `tcp`: anybody on the machine, and every page in a browser. */
export type Via = 'socket' | 'tcp'

/**
 * A request that wants to become a WebSocket. The route that takes it is served one, or told that it came to nothing;
 * its answer is not sent.
 */
export type Upgrade = { take(serve: (socket: WebSocket) => void, giveUp: () => void): void }

/** `caller`: only of a request that the daemon sends to itself, in the name of who asked it. */
export type RequestEnv = {
  readonly via?: Via
  readonly caller?: Caller
  readonly incoming?: IncomingMessage
  readonly upgrade?: Upgrade
}

const envOf = (c: Context) => (c.env ?? {}) as RequestEnv

export const viaOf = (c: Context): Via => envOf(c).via ?? 'socket'
export const isTcp = (c: Context) => viaOf(c) === 'tcp'
export const callerInside = (c: Context) => envOf(c).caller
/** What Node read; undefined for a request that did not come over a connection. */
export const incomingOf = (c: Context) => envOf(c).incoming
/** Undefined for a request that does not ask for a WebSocket. */
export const upgradeOf = (c: Context) => envOf(c).upgrade
