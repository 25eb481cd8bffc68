// Owns where the panes are that carry a mark: in their task's own session, or in one that several share.
import type { PaneId } from '../domain/names/ids.ts'
import { TmuxRefused } from './link/control-client.ts'
import type { ServerLink } from './link/server-link.ts'
import { checkPaneName } from './panes/check-name.ts'
import { ifMarked, type Marked } from './panes/if-marked.ts'
import { listPanesWithoutLink } from './panes/list-panes-without-link.ts'
import { LIST_MARKED_PANES, listPanesMarked, type PaneRow, parseRow } from './panes/pane-rows.ts'
import { formerSessionName, isOwnSession, sessionName } from './panes/session-name.ts'

export class MarkedPanes {
  readonly #link: ServerLink
  /** Where a pane was last found that is not the only one of its task's session, by its mark. */
  readonly #found = new Map<string, PaneId>()

  constructor(link: ServerLink) {
    this.#link = link
  }

  remember(mark: string, pane: PaneId): void {
    this.#found.set(mark, pane)
  }

  forget(mark: string): void {
    this.#found.delete(mark)
  }

  /** With all that a person put beside it. */
  kill(row: PaneRow): Promise<unknown> {
    const kill = isOwnSession(row.session)
      ? ['kill-session', '-t', `=${row.session}`]
      : ['kill-window', '-t', row.pane]
    return this.#link.ask(ifMarked(row, kill)).catch(ifGone(undefined))
  }

  /**
   * The lines that these commands print; none when no pane carries the mark. Nearly always it is the active pane of its
   * session, or where it was last found, and one round trip is enough. If not, because a person has split the window or
   * its session is shared, the pane is searched.
   */
  async ask(
    task: string,
    mark: string,
    commands: (marked: Marked) => string[][],
  ): Promise<readonly string[]> {
    if (this.#link.health() === 'given_up') return []
    const ownSession = `=${sessionName(task)}:`
    const shown = { pane: this.#found.get(mark) ?? ownSession, mark: checkPaneName(mark) }
    const lines = await this.#link.ask(...commands(shown))
    if (lines.length > 0) return lines
    const row = await this.find(task, mark)
    if (row === undefined) {
      this.#found.delete(mark)
      return []
    }
    this.#found.set(mark, row.pane)
    return this.#link.ask(...commands(row))
  }

  /** In the task's own session, or in one that several share. */
  async find(task: string, mark: string): Promise<PaneRow | undefined> {
    const [own, former] = [sessionName(task), formerSessionName(task)]
    const rows = await this.rowsWhere(listPanesMarked(checkPaneName(mark)))
    const row = rows.find(({ session }) => session === own || !isOwnSession(session))
    return (
      row ??
      this.#rename(
        rows.find(({ session }) => session === former),
        own,
      )
    )
  }

  /** Gives a session that an earlier version opened its present name. People attach to it by that name. */
  async #rename(former: PaneRow | undefined, name: string): Promise<PaneRow | undefined> {
    if (former === undefined) return undefined
    await this.#link.ask(ifMarked(former, ['rename-session', '-t', `=${former.session}`, name]))
    return { ...former, session: name }
  }

  /** The panes that this listing names. */
  async rowsWhere(listing: string[]): Promise<PaneRow[]> {
    if (this.#link.health() === 'given_up') return []
    const lines = await this.#link.ask(listing).catch(ifGone([]))
    return lines.map(parseRow)
  }

  /** Every pane that carries a mark. */
  async all(): Promise<PaneRow[]> {
    try {
      return (await this.#link.ask(LIST_MARKED_PANES)).map(parseRow)
    } catch (error) {
      if (this.#link.health() === 'hung') throw error
      return this.#rowsWithoutLink(error)
    }
  }

  /** Without a server there are no panes. But a living server that cannot be reached may have some: then it throws. */
  async #rowsWithoutLink(why: unknown): Promise<PaneRow[]> {
    const { address, timeoutMs } = this.#link
    const rows = await listPanesWithoutLink(address, { clock: address.clock, timeoutMs })
    if (rows === undefined && this.#link.server()) throw why
    return rows ?? []
  }
}

/** What to say when the pane or session is not there any more. Other errors are thrown. */
export const ifGone =
  <T>(value: T) =>
  (error: unknown): T => {
    if (error instanceof TmuxRefused && error.message.startsWith("can't find")) return value
    throw error
  }
