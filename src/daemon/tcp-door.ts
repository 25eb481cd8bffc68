// Owns the TCP port of the page and the API: opened when somebody asks or the settings say so, and again by the next daemon.
import { readFileSync } from 'node:fs'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Hono } from 'hono'
import { HoldfastError, messageOf } from '../domain/errors.ts'
import { isLoopback } from '../domain/names/loopback.ts'
import { isErrno } from '../domain/system-error.ts'
import type { Log } from '../ports/log.ts'
import type { DoorAsk, DoorState, WebDoor } from '../ports/web-door.ts'
import { replaceFile } from '../system/disk/replace-file.ts'
import { httpServer, stopServer } from './http-server.ts'

/** Taken when nobody names a port and this one is free, so that the address stays the same. */
const USUAL_PORT = 4949
/** A client that sends its request slower than this is cut off, so that it cannot hold connections open. */
const LIMITS = {
  headersTimeout: 10_000,
  requestTimeout: 60_000,
  keepAliveTimeout: 30_000,
  connectionsCheckingInterval: 1000,
}
const MOST_CONNECTIONS = 4000

type Options = {
  readonly file: string
  readonly log: Log
  readonly settings: { readonly port: number; readonly host: string; readonly allowRemote: boolean }
  /** Others than the usual ones, for tests. */
  readonly limits?: typeof LIMITS
}
type Opened = { readonly server: Server; readonly host: string; readonly port: number }

export class TcpDoor implements WebDoor {
  readonly #options: Options
  #app: Hono | undefined
  #opened: Opened | undefined
  #trouble: string | null = null

  constructor(options: Options) {
    this.#options = options
  }

  /**
   * Opens the port that the settings name; without one, the port that was open when the last daemon stopped. When it cannot be
   * opened, the daemon starts without it.
   */
  async start(app: Hono): Promise<void> {
    this.#app = app
    const { settings, log } = this.#options
    const asked = settings.port === 0 ? this.#remembered() : { ...settings }
    if (asked === undefined) return
    try {
      await this.#openAt(asked.host, asked.port, asked.allowRemote)
    } catch (error) {
      this.#trouble = messageOf(error)
      log.warn('the TCP port could not be opened', { ...asked, error: messageOf(error) })
    }
  }

  state(): DoorState {
    const open = this.#opened && { host: this.#opened.host, port: this.#opened.port }
    return { open: open ?? null, trouble: open ? null : this.#trouble }
  }

  async open(ask: DoorAsk): Promise<DoorState> {
    const { settings } = this.#options
    const before = this.#remembered()
    const host = ask.host ?? this.#opened?.host ?? before?.host ?? settings.host
    const allowRemote = ask.allowRemote || settings.allowRemote || before?.host === host
    const port = ask.port ?? this.#opened?.port ?? (settings.port || before?.port)
    if (this.#opened?.host !== host || this.#opened.port !== port) await this.#move(host, port, allowRemote)
    const { host: at, port: taken } = this.#opened as Opened
    const remembered = { host: at, port: taken, allowRemote: !isLoopback(at) }
    await replaceFile(this.#options.file, `${JSON.stringify(remembered)}\n`, { durable: true })
    return this.state()
  }

  async close(): Promise<boolean> {
    const wasOpen = this.#opened !== undefined
    this.#trouble = null
    await replaceFile(this.#options.file, 'null\n', { durable: true })
    await this.stop()
    return wasOpen
  }

  /** For the end of the daemon: the next one opens it again. */
  async stop(): Promise<void> {
    const { server } = this.#opened ?? {}
    this.#opened = undefined
    if (server !== undefined) await stopServer(server)
  }

  /** The new one is open before the old one is shut. */
  async #move(host: string, port: number | undefined, allowRemote: boolean): Promise<void> {
    const old = this.#opened?.server
    if (port === undefined)
      await this.#openAt(host, USUAL_PORT, allowRemote).catch((error) => {
        if (!(error instanceof HoldfastError) || error.code !== 'PORT_TAKEN') throw error
        return this.#openAt(host, 0, allowRemote)
      })
    else await this.#openAt(host, port, allowRemote)
    if (old !== undefined) await stopServer(old)
  }

  async #openAt(host: string, port: number, allowRemote: boolean): Promise<void> {
    if (!isLoopback(host) && !allowRemote)
      throw new HoldfastError(
        'NOT_LOOPBACK',
        `Other machines can reach ${host}, and what they send is not encrypted.`,
      )
    const server = httpServer(this.#app as Hono, 'tcp', this.#options.limits ?? LIMITS)
    server.maxConnections = MOST_CONNECTIONS
    await new Promise<void>((resolve, reject) => {
      server.once('error', (error) => reject(openError(error, host, port)))
      server.listen({ host, port }, () => resolve())
    })
    server.on('error', (error) => this.#options.log.error('the TCP port fails', { error: error.message }))
    this.#opened = { server, host, port: (server.address() as AddressInfo).port }
    this.#trouble = null
    this.#options.log.info('the TCP port is open', { host, port: this.#opened.port })
  }

  #remembered(): { host: string; port: number; allowRemote: boolean } | undefined {
    try {
      const { host, port, allowRemote } = Object(JSON.parse(readFileSync(this.#options.file, 'utf8')))
      if (typeof host !== 'string' || !Number.isInteger(port)) return undefined
      return { host, port, allowRemote: allowRemote === true }
    } catch {
      return undefined
    }
  }
}

function openError(error: unknown, host: string, port: number): unknown {
  const at = `${host}:${port}`
  if (isErrno(error, 'EADDRINUSE'))
    return new HoldfastError('PORT_TAKEN', `Another program listens on ${at}.`, { cause: error })
  if (isErrno(error, 'EACCES'))
    return new HoldfastError('PORT_TAKEN', `You may not listen on ${at}.`, { cause: error })
  if (isErrno(error, 'EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN'))
    return new HoldfastError('INVALID_REQUEST', `This machine has no address ${host}.`, { cause: error })
  return error
}
