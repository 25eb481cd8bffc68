// Owns the link to the tmux server: keeps one server alive and one connection to it, and reports what happens to them.
import { existsSync, rmSync } from 'node:fs'
import { HoldfastError, isHoldfastError, messageOf } from '../../domain/errors.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Log } from '../../ports/log.ts'
import type { ProcessIdentities, ProcessIdentity } from '../../ports/run/processes.ts'
import type { TerminalEvent, TerminalHealth } from '../../ports/run/terminal.ts'
import { ensureServer, KEEPER } from '../program/ensure-server.ts'
import { runTmux, type TmuxAddress } from '../program/spawn.ts'
import { ControlClient, NoReply } from './control-client.ts'
import { KnownProcesses } from './known-processes.ts'
import { Listeners } from './listeners.ts'
import { endOrphans } from './orphaned-clients.ts'
import { OutageRecord } from './outage-record.ts'
import { OutlineWatch } from './outline-watch.ts'
import { atMost, Nap, reportingDelay } from './patience.ts'
import { endRecordedClient, forgetClient, recordClient } from './recorded-client.ts'
import { DEATHS_TO_GIVE_UP, deathsWithin } from './server-deaths.ts'
import { unavailable } from './unavailable.ts'

export type LinkOptions = TmuxAddress & {
  readonly clock: Clock
  readonly processes: ProcessIdentities
  readonly heartbeatMs?: number
  /** A server that does not answer for this long is reported as hung. */
  readonly heartbeatTimeoutMs?: number
  /** How long we wait before we start a server again that died too often, the first time. */
  readonly restMs?: number
  /** Finds the path of tmux; called until it succeeds. When absent, `tmuxPath` is used. */
  readonly find?: () => Promise<string>
  readonly log?: Log
}

/** A start may meet a server that is ending, or another start: after a second of tries both are over. */
const START_TRIES = 7
const FIRST_PAUSE_MS = 10
/** Between tries that have failed for long: a missing program will not appear within seconds. */
const LONGEST_PAUSE_MS = 15_000
const REST_MS = 10 * 60_000
const IS_ENDING = /server exited unexpectedly|no server running/

export class ServerLink {
  address: LinkOptions
  readonly timeoutMs: number
  readonly processes: KnownProcesses
  readonly outlines = new OutlineWatch()
  #clock: Clock
  #heartbeatMs: number
  readonly #listeners: Listeners
  #health: TerminalHealth = 'down'
  readonly #outage: OutageRecord
  #isFound = false
  /** False before the start and after a deliberate end: then a lost connection is not reported. */
  #wanted = false
  #client: ControlClient | undefined
  #server: ProcessIdentity | undefined
  #deaths: number[] = []
  #establishing: Promise<void> | undefined
  #callOffBeat = () => {}
  #callOffRest = () => {}
  readonly #nap: Nap
  #afterTry = () => {}

  constructor(options: LinkOptions) {
    this.address = options
    this.timeoutMs = options.heartbeatTimeoutMs ?? 5_000
    this.#clock = options.clock
    this.processes = new KnownProcesses(options.processes, options.clock)
    this.#heartbeatMs = options.heartbeatMs ?? 3_000
    this.#listeners = new Listeners(options.log)
    this.#nap = new Nap(options.clock)
    this.#outage = new OutageRecord(options.clock, options.restMs ?? REST_MS)
  }

  health = () => this.#health
  outage = () => this.#outage.outage(this.#health, this.server())

  onEvent = (listener: (event: TerminalEvent) => void) => this.#listeners.add(listener)

  /** Finds or starts the server. A hung server is reported and waited for in the background. Else TMUX_UNAVAILABLE. */
  start = () => this.#begin(START_TRIES)

  /** As `start`, but tries again and again when it does not work. */
  startOrKeepTrying = () => this.#begin(Number.POSITIVE_INFINITY)

  async #begin(tries: number): Promise<void> {
    if (this.#wanted && this.#health !== 'given_up') return
    this.#callOffRest()
    this.#wanted = true
    this.#deaths = []
    this.#setHealth('down')
    await endRecordedClient(this.address.socket, this.processes)
    this.#establishing = this.#establish(tries)
    const known = tries === START_TRIES ? [] : (['server_unavailable'] as const)
    await this.#listeners.waitUnless(this.#establishing, 'server_hung', ...known)
  }

  /** Tries at once, for a person who does not want to wait. A hung server is still waited for: only a person may end it. */
  async tryNow(): Promise<void> {
    if (this.#health === 'given_up') return await this.startOrKeepTrying()
    if (!this.#wanted || this.#health === 'up' || this.#health === 'hung') return
    const tried = new Promise<void>((resolve) => {
      this.#afterTry = resolve
    })
    this.#nap.wake()
    await this.#atMost(Promise.race([this.#establishing, tried]))
  }

  /** The connection. When it is just being made again, waits for it. */
  async ready(): Promise<ControlClient> {
    if (this.#client === undefined && this.#wanted) await this.#atMost(this.#establishing)
    if (this.#health === 'up' && this.#client) return this.#client
    throw unavailable(this.#health)
  }

  /** For commands that may be sent twice: if the connection is lost, they are sent once more. */
  async ask(...commands: (readonly string[])[]): Promise<string[]> {
    try {
      return await (await this.ready()).request(...commands)
    } catch (error) {
      if (!(error instanceof NoReply)) throw error
    }
    const client = await this.ready()
    return client.request(...commands).catch((error) => {
      throw error instanceof NoReply ? unavailable(this.#health) : error
    })
  }

  /** The process of the server; undefined when it is gone, or not known. */
  server = () => (this.#server && this.processes.isAlive(this.#server) ? this.#server : undefined)

  /** Closes the connection; the server goes on. */
  async disconnect(): Promise<void> {
    this.#wanted = false
    this.#callOffBeat()
    this.#callOffRest()
    this.#nap.wake()
    await this.#atMost(this.#establishing)
    const client = this.#client
    this.#client = undefined
    this.#server = undefined
    this.#setHealth('down')
    await client?.close(this.#clock, this.timeoutMs)
    forgetClient(this.address.socket)
  }

  /** Ends the server and everything in it that obeys SIGHUP. A server that does not answer is left alone. */
  async stopServer(): Promise<void> {
    if (this.#health === 'hung') throw unavailable('hung')
    this.#wanted = false
    this.#nap.wake()
    await this.#atMost(this.#establishing)
    const server = this.server()
    const client = this.#client
    if (client) await this.#atMost(this.#endOrphans(client).then(() => client.request(['kill-server'])))
    else await runTmux(this.address, ['-N', 'kill-server'], { clock: this.#clock, timeoutMs: this.timeoutMs })
    await this.disconnect()
    if (server && !(await this.processes.untilGone(server, this.timeoutMs)))
      throw new HoldfastError(
        'TMUX_UNAVAILABLE',
        `The tmux server (${server.pid}) was told to end, but still runs.`,
      )
    rmSync(this.address.socket, { force: true })
  }

  /** Tries until there is a connection, a reason to give up, or no more need for one. */
  async #establish(tries: number): Promise<void> {
    for (let tried = 1; this.#wanted; tried++) {
      if (this.#server && !this.processes.isAlive(this.#server) && !this.#survivesDeath()) return
      try {
        return await this.#connect()
      } catch (error) {
        this.#failed(error, tried)
        if (tried === tries) return this.#rejectStart(error)
      }
      await this.#pause(tried)
    }
  }

  #pause(tried: number): Promise<void> {
    const longest =
      tried > 2 * START_TRIES ? Math.max(LONGEST_PAUSE_MS, this.#heartbeatMs) : this.#heartbeatMs
    return this.#nap.sleep(Math.min(FIRST_PAUSE_MS * 2 ** tried, longest))
  }

  async #connect(): Promise<void> {
    await this.#findProgram()
    const newPid = await this.#reportingDelay(ensureServer(this.address, this.#server === undefined))
    // Noted before anything else can fail, so that the death of a server that dies at once is counted.
    if (newPid !== undefined) this.#server = this.#serverWith(newPid)
    const client: ControlClient = new ControlClient(this.address, KEEPER, {
      onAnswer: () => this.#answered(client),
      onLost: (lastWords) => this.#lost(client, lastWords),
      onNotice: this.outlines.hear,
    })
    this.#record(client)
    const [pid] = await this.#reportingDelay(client.request(['display-message', '-p', '#{pid}']))
    if (!this.#wanted) return client.close(this.#clock, this.timeoutMs)
    if (client.isOver) throw new NoReply('the connection to tmux was lost at once', false)
    this.#server = this.#serverWith(Number(pid))
    this.#client = client
    this.#up(newPid !== undefined)
    void this.#endOrphans(client)
    // Without it, changes are seen later: with the next listing of all panes.
    void this.outlines.begin(client).catch(() => {})
    this.#beat(client)
  }

  async #findProgram(): Promise<void> {
    if (this.#isFound || this.address.find === undefined) return
    this.address = { ...this.address, tmuxPath: await this.address.find() }
    this.#isFound = true
  }

  /** A try is enough: an orphan that stays only keeps the server from ending, and that is told then. */
  #endOrphans = (client: ControlClient) => endOrphans(client, this.processes).catch(() => {})

  #up(fresh: boolean): void {
    const wasHung = this.#health === 'hung'
    this.#setHealth('up')
    if (wasHung) this.#emit({ kind: 'server_answers' })
    if (fresh) this.#emit({ kind: 'server_started' })
  }

  #failed(error: unknown, tried: number): void {
    const isMissing = isHoldfastError(error, 'TMUX_MISSING', 'TMUX_TOO_OLD')
    this.#setHealth(isMissing ? 'missing' : 'down', messageOf(error))
    this.#afterTry()
    const isEnding = IS_ENDING.test(messageOf(error))
    if ((tried === START_TRIES && !isEnding) || (isMissing && tried === 1))
      this.#emit({ kind: 'server_unavailable', why: messageOf(error) })
    if (tried === 1) this.address.log?.warn('no connection to tmux', { error: messageOf(error) })
    if (this.#server === undefined) return
    // On SIGUSR1 a server creates its socket again, if somebody has removed it.
    if (!existsSync(this.address.socket)) this.processes.signal(this.#server, 'SIGUSR1')
    // A server that refuses connections is ending, but a stopped client may keep it from ending. It counts as dead.
    else if (tried >= START_TRIES && isEnding) this.#server = { ...this.#server, startTicks: -1 }
  }

  #rejectStart(error: unknown): never {
    this.#wanted = false
    throw error instanceof HoldfastError
      ? error
      : new HoldfastError('TMUX_UNAVAILABLE', `tmux cannot be used: ${messageOf(error)}`, { cause: error })
  }

  /** Without the record, the next daemon cannot end this client if we are killed. That is no reason to stop. */
  #record(client: ControlClient): void {
    try {
      if (client.pid !== undefined) recordClient(this.address.socket, client.pid, this.processes)
    } catch (error) {
      this.address.log?.warn('could not record the control client', { error: messageOf(error) })
    }
  }

  /** The health stays as it was until we know more: perhaps only the client died. */
  #lost(client: ControlClient, lastWords: string): void {
    if (client !== this.#client) return
    this.#callOffBeat()
    this.#client = undefined
    if (!this.#wanted) return
    this.address.log?.info('lost the connection to tmux', { lastWords })
    if (this.#health === 'hung') this.#setHealth('down')
    this.#establishing = this.#establish(Number.POSITIVE_INFINITY)
  }

  /** Reports the death of the server, once. False when it died too often to be restarted now. */
  #survivesDeath(): boolean {
    this.#deaths = deathsWithin(this.#deaths, this.#clock.monotonic())
    const deaths = this.#deaths.length
    const givenUp = deaths >= DEATHS_TO_GIVE_UP
    this.#server = undefined
    this.#setHealth(givenUp ? 'given_up' : 'down')
    this.#emit({ kind: 'server_died', deaths })
    if (givenUp) this.#rest(deaths)
    return !givenUp
  }

  #rest(deaths: number): void {
    const restMs = this.#outage.startRest()
    this.#callOffRest = this.#clock.after(restMs, () => void this.startOrKeepTrying().catch(() => {}))
    this.#emit({ kind: 'server_given_up', deaths, retryAt: this.#clock.now() + restMs })
  }

  #setHealth(health: TerminalHealth, why?: string): void {
    this.#health = health
    this.#outage.note(health, why)
  }

  #beat(client: ControlClient): void {
    this.#callOffBeat = this.#clock.after(this.#heartbeatMs, async () => {
      // A hung server gets no further requests: its answers to the earlier ones show when it is back.
      if (this.#health !== 'hung') await this.#reportingDelay(client.request()).catch(() => {})
      if (client === this.#client) this.#beat(client)
    })
  }

  #answered(client: ControlClient): void {
    if (this.#health === 'hung' && client === this.#client) this.#up(false)
  }

  #reportingDelay = <T>(work: Promise<T>) =>
    reportingDelay(this.#clock, this.timeoutMs, work, () => this.#hung())
  #atMost = (work: Promise<unknown> | undefined) => atMost(this.#clock, this.timeoutMs, work)

  #hung(): void {
    if (this.#health === 'hung' || !this.#wanted) return
    this.#setHealth('hung')
    this.#emit({ kind: 'server_hung' })
    this.#client?.abandon('the tmux server does not answer')
  }

  /** With this pid; a process that is gone already gets start ticks that no process has, and so counts as dead. */
  #serverWith = (pid: number): ProcessIdentity => this.processes.identityOf(pid) ?? { pid, startTicks: -1 }

  #emit = (event: TerminalEvent) => this.#listeners.emit(event)
}
