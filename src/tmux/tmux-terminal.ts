// Owns the Terminal port on tmux: one session per task, or a window in a session that several share; one marked pane in it.
import { stat } from 'node:fs/promises'
import { isAbsolute } from 'node:path'
import { HoldfastError } from '../domain/errors.ts'
import { asPaneId, type PaneId } from '../domain/names/ids.ts'
import { printable } from '../domain/names/names.ts'
import { isPlaceSession, type Place } from '../domain/runtime/names.ts'
import {
  type AsSeen,
  LaunchUncertain,
  type OpenSpec,
  type Pane,
  type PaneView,
  type Terminal,
  type TerminalEvent,
  type Typed,
} from '../ports/run/terminal.ts'
import { NoReply, TmuxRefused } from './link/control-client.ts'
import { type LinkOptions, ServerLink } from './link/server-link.ts'
import { ifGone, MarkedPanes } from './marked-panes.ts'
import { checkPaneName } from './panes/check-name.ts'
import type { Marked } from './panes/if-marked.ts'
import {
  CLOSED,
  closeIfEmpty,
  keepSession,
  LIST_SESSIONS,
  launchCommands,
  TAKEN,
} from './panes/launch-commands.ts'
import { listPanesIn, listPanesOf } from './panes/pane-rows.ts'
import { parseView, viewCommand } from './panes/pane-view.ts'
import { PUT, putInPlaceCommands } from './panes/put-in-place.ts'
import { sessionName } from './panes/session-name.ts'
import { TextFiles } from './panes/text-files.ts'
import { checkKeys, checkText, clearOnce, pasteOnce, pressForPersonOnce, pressOnce } from './panes/typing.ts'
import { cleanEnv, tmuxArgs } from './program/spawn.ts'
import { parseWindow, type WindowSeen, windowCommand } from './viewers/view-commands.ts'

export class TmuxTerminal implements Terminal {
  #link: ServerLink
  #texts: TextFiles
  #marked: MarkedPanes

  constructor(options: LinkOptions) {
    this.#link = new ServerLink(options)
    this.#texts = new TextFiles(options.socket)
    this.#marked = new MarkedPanes(this.#link)
  }

  /** Finds or starts the server, also after `server_given_up`. */
  async start(): Promise<void> {
    await this.#texts.clear()
    await this.#link.start()
  }

  /** As `start`, but tries again and again when it does not work. */
  async startOrKeepTrying(): Promise<void> {
    await this.#texts.clear()
    await this.#link.startOrKeepTrying()
  }

  /** Closes the connection; the server and its panes go on. */
  disconnect = () => this.#link.disconnect()
  /** Ends the server with all its panes, and checks that it is gone. Processes that ignore SIGHUP go on. */
  stopServer = () => this.#link.stopServer()
  sessionName = sessionName
  health = () => this.#link.health()
  outage = () => this.#link.outage()
  tryNow = () => this.#link.tryNow()
  server = () => this.#link.server()
  onOutlines = (listener: () => void) => this.#link.outlines.onChange(listener)
  onEvent = (listener: (event: TerminalEvent) => void) => this.#link.onEvent(listener)

  /** Where the pane is, and how large its window. Undefined when no pane carries this mark. */
  async window(task: string, mark: string): Promise<WindowSeen | undefined> {
    return parseWindow(await this.#marked.ask(task, mark, (marked) => [windowCommand(marked)]))
  }

  /** How a client of this server is started. */
  client(args: readonly string[]): { argv: [string, ...string[]]; env: Record<string, string> } {
    const { address } = this.#link
    return { argv: [address.tmuxPath, ...tmuxArgs(address, '-N', ...args)], env: cleanEnv(address.env) }
  }

  /** The command that a person runs to see a pane. */
  attachArgv = (task: string, { readOnly }: { readOnly: boolean }): string[] =>
    this.client(['attach-session', ...(readOnly ? ['-r'] : []), '-t', `=${sessionName(task)}`]).argv

  async open(spec: OpenSpec): Promise<PaneId> {
    const commands = launchCommands(spec)
    await checkDirectory(spec.cwd)
    if (spec.place !== undefined) await this.#keepSession(spec.place.session)
    const pane = await this.#launch(commands)
    if (pane !== undefined) return this.#remember(spec, pane)
    const there = await this.#makeRoom(spec)
    const second = there ?? (await this.#launch(commands))
    if (second === undefined)
      throw new HoldfastError(
        'TMUX_UNAVAILABLE',
        `Another program keeps opening the tmux session ${sessionName(spec.task, spec.place)}.`,
      )
    return this.#remember(spec, second)
  }

  async panes(): Promise<Pane[]> {
    const rows = await this.#marked.all()
    const server = this.#link.server()
    // When a single process dies, tmux sometimes misses its SIGCHLD and leaves a zombie; another SIGCHLD makes it check.
    if (server && rows.some(({ unreaped }) => unreaped)) this.#link.processes.signal(server, 'SIGCHLD')
    return rows.map(({ unreaped, ...pane }) => pane)
  }

  readScreen = async (task: string, mark: string) => (await this.look(task, mark))?.text

  async look(task: string, mark: string): Promise<PaneView | undefined> {
    return parseView(await this.#marked.ask(task, mark, (marked) => [viewCommand(marked)]))
  }

  async paste(
    task: string,
    mark: string,
    tag: string,
    text: string,
    seen?: AsSeen & { readonly note?: string },
  ): Promise<Typed> {
    checkPaneName(tag)
    if (seen?.note) checkPaneName(seen.note)
    return this.#texts.withTextFile(checkText(text), (file) =>
      this.#type(task, mark, (marked) => pasteOnce({ ...marked, tag, seen, note: seen?.note }, file)),
    )
  }

  async press(
    task: string,
    mark: string,
    tag: string,
    keys: readonly string[],
    seen?: AsSeen,
  ): Promise<Typed> {
    checkPaneName(tag)
    checkKeys(keys)
    return this.#type(task, mark, (marked) => pressOnce({ ...marked, tag, seen }, keys))
  }

  async pressForPerson(task: string, mark: string, tag: string, keys: readonly string[]): Promise<Typed> {
    checkPaneName(tag)
    checkKeys(keys)
    return this.#type(task, mark, (marked) => pressForPersonOnce({ ...marked, tag }, keys))
  }

  async clear(
    task: string,
    mark: string,
    tag: string,
    keys: readonly string[],
    seen: AsSeen,
  ): Promise<Typed> {
    checkPaneName(tag)
    checkKeys(keys)
    return this.#type(task, mark, (marked) => clearOnce({ ...marked, tag, seen }, keys))
  }

  /** The terminals of everybody who has the session of a task in front of them; without a task, of everybody attached. */
  async terminalsAt(task?: string, place?: Place): Promise<readonly string[]> {
    if (this.health() !== 'up') return []
    const session = task === undefined ? [] : ['-t', `=${sessionName(task, place)}`]
    const lines = await this.#link
      .ask(['list-clients', ...session, '-F', '#{client_tty}'])
      .catch(ifGone<readonly string[]>([]))
    return lines.filter((tty) => tty !== '')
  }

  /** Closes the pane. A process that ignores SIGHUP goes on: callers end processes by identity. */
  async close(task: string, mark: string): Promise<void> {
    const row = await this.#marked.find(task, mark)
    this.#marked.forget(mark)
    if (row !== undefined) await this.#marked.kill(row)
  }

  async putInPlace(pane: Pane, place: Place): Promise<boolean> {
    await this.#keepSession(place.session)
    const said = await this.#link.ask(...putInPlaceCommands(pane, place)).catch((error) => {
      if (error instanceof TmuxRefused) return [] as string[]
      throw error
    })
    return said.includes(PUT)
  }

  async closeEmptySessions(except: ReadonlySet<string>): Promise<number> {
    const names = (await this.#link.ask(LIST_SESSIONS)).filter(isPlaceSession)
    let left = 0
    for (const name of names.filter((one) => !except.has(one))) {
      const [said] = await this.#link.ask(...closeIfEmpty(name)).catch(ifGone([CLOSED]))
      if (said !== CLOSED) left++
    }
    return left
  }

  #remember({ mark, place }: OpenSpec, pane: PaneId): PaneId {
    if (place !== undefined) this.#marked.remember(mark, pane)
    return pane
  }

  /** A session that several panes share is made by the first, and outlives them. */
  async #keepSession(session: string): Promise<void> {
    const client = await this.#link.ready()
    try {
      await client.request(keepSession(session))
    } catch (error) {
      if (!(error instanceof TmuxRefused)) throw uncertain(error)
      if (!error.message.startsWith('duplicate session'))
        throw new HoldfastError('TMUX_UNAVAILABLE', `tmux refused to open a session: ${error.message}`)
    }
  }

  /** Undefined when there is a session or window with this name already; then nothing was started. */
  async #launch(commands: string[][]): Promise<PaneId | undefined> {
    const client = await this.#link.ready()
    try {
      const [pane] = await client.request(...commands)
      if (pane === undefined) throw new Error('tmux named no pane')
      if (pane === TAKEN) return undefined
      return asPaneId(pane)
    } catch (error) {
      if (!(error instanceof TmuxRefused)) throw uncertain(error)
      if (error.before.length > 0) throw new LaunchUncertain(error.message)
      if (error.message.startsWith('duplicate session')) return undefined
      throw new HoldfastError('TMUX_UNAVAILABLE', `tmux refused to open a pane: ${error.message}`)
    }
  }

  /** Returns the pane if it carries the mark already; removes one that is dead or not ours. */
  async #makeRoom({ task, mark, place }: OpenSpec): Promise<PaneId | undefined> {
    const rows = await this.#marked.rowsWhere(
      place === undefined ? listPanesOf(sessionName(task)) : listPanesIn(place.session, place.window),
    )
    const ours = rows.find((row) => row.mark === mark)
    if (ours !== undefined) return ours.pane
    const living = rows.find((row) => row.mark !== '' && !row.dead)
    if (living !== undefined)
      throw new HoldfastError(
        'TMUX_UNAVAILABLE',
        `${sessionName(task, place)} still belongs to run ${living.mark}, which still runs.`,
      )
    if (rows[0] !== undefined) await this.#marked.kill(rows[0])
    return undefined
  }

  async #type(task: string, mark: string, commands: (marked: Marked) => string[][]): Promise<Typed> {
    const [typed = 'refused'] = await this.#marked.ask(task, mark, commands).catch((error) => {
      if (!(error instanceof TmuxRefused)) throw error
      throw new HoldfastError('TMUX_UNAVAILABLE', `tmux refused to type: ${error.message}`, { cause: error })
    })
    return typed as Typed
  }
}

/** tmux reports no error for a missing directory: it runs the program in another one. */
async function checkDirectory(dir: string): Promise<void> {
  const isDirectory = await stat(dir).then(
    (found) => found.isDirectory(),
    () => false,
  )
  if (!isDirectory || !isAbsolute(dir))
    throw new HoldfastError('DIRECTORY_NOT_FOUND', `There is no directory '${printable(dir, 200)}'.`)
}

function uncertain(error: unknown): unknown {
  if (!(error instanceof NoReply)) return error
  if (error.written) return new LaunchUncertain(error.message, { cause: error })
  return new HoldfastError('TMUX_UNAVAILABLE', error.message, { cause: error })
}
