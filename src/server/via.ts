// Owns by which way a request came: what the listener said, never what the request says.
import type { IncomingMessage } from 'node:http'
import type { Context } from 'hono'
import type { Caller } from '../domain/task/caller.ts'

/** `socket`: the unix socket, which only its owner can use. `tcp`: anybody on the machine, and every page in a browser. */
export type Via = 'socket' | 'tcp'

/** `caller`: only of a request that the daemon sends to itself, in the name of who asked it. */
export type RequestEnv = { readonly via?: Via; readonly caller?: Caller; readonly incoming?: IncomingMessage }

const envOf = (c: Context) => (c.env ?? {}) as RequestEnv

export const viaOf = (c: Context): Via => envOf(c).via ?? 'socket'
export const isTcp = (c: Context) => viaOf(c) === 'tcp'
export const callerInside = (c: Context) => envOf(c).caller
/** What Node read; undefined for a request that did not come over a connection. */
export const incomingOf = (c: Context) => envOf(c).incoming
