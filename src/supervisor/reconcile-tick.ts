// Owns the regular tick: it compares everything with the real state, for what no event told.

import type { TaskId } from '../domain/names/ids.ts'
import type { Guarded } from './kernel/guarded.ts'
import type { TickNeeds } from './needs.ts'
import type { OrderBook } from './orders/order-book.ts'
import { onStuck } from './recovering/on-stuck.ts'
import type { RuntimeKeeper } from './runtimes/runtime-keeper.ts'
import { renewTokens } from './upkeep/renew-tokens.ts'
import { watchdog } from './upkeep/watchdog.ts'
import { checkBridges } from './watching/check-bridges.ts'
import { lookForLife, TICKS_PER_LIFE } from './watching/life.ts'
import { needsLook } from './watching/needs-look.ts'

/** The files of so many tasks are looked at in each tick, in turns: a tick costs the same with ten tasks or a thousand. */
const FILES_PER_TICK = 2
/** The death of the tmux server is reported at once; only a window that was closed by hand waits for this. */
const TICKS_PER_WINDOWS = 6
/** The alarm usually rings in time; this is for a wall clock that jumped. */
const TICKS_PER_WAKING = 6

/** What a tick asks of the supervisor, besides the looks at tasks. */
type Acts = {
  readonly guarded: Guarded
  readonly underLock: (id: TaskId, what: string, work: () => Promise<unknown>) => Promise<void>
  readonly matchWindows: () => Promise<void>
  /** Rings the alarm of tasks that wait for a time. */
  readonly wake: () => void
  readonly scheduleSoon: () => void
  readonly orders: Pick<OrderBook, 'takeUp'>
  readonly runtimes: Pick<RuntimeKeeper, 'reconcile'>
}

export class ReconcileTick {
  readonly #core: TickNeeds
  readonly #acts: Acts
  #stopped = false
  #cancel = () => {}
  #nextTurn = 0
  #ticks = 0

  constructor(core: TickNeeds, acts: Acts) {
    this.#core = core
    this.#acts = acts
  }

  arm(): void {
    if (this.#stopped) return
    const { clock, config } = this.#core
    this.#cancel = clock.after(
      config['reconcile.interval'],
      () => void this.#tick().finally(() => this.arm()),
    )
  }

  stop(): void {
    this.#stopped = true
    this.#cancel()
  }

  async #tick(): Promise<void> {
    this.#ticks++
    await this.#acts.guarded('the tick', () => this.#reconcile())
    if (this.#isTurnOf(TICKS_PER_WAKING)) this.#acts.wake()
    if (this.#isTurnOf(TICKS_PER_WINDOWS)) await this.#acts.matchWindows()
    this.#acts.scheduleSoon()
    // Packing and sweeping may take long: the tick does not wait for them.
    if (!this.#stopped) void watchdog(this.#core)
  }

  async #reconcile(): Promise<void> {
    const core = this.#core
    const ended = new Set(await core.runFiles.exits())
    for (const [at, watch] of [...core.watched.values()].entries())
      if (needsLook(watch, ended, core, at + this.#ticks)) core.requestLook(watch.task.id)
    await this.#lookAtFiles()
    if (this.#isTurnOf(TICKS_PER_LIFE)) await this.#lookForLife()
    await renewTokens(core)
    await checkBridges(core)
    await this.#acts.orders.takeUp()
    await this.#acts.runtimes.reconcile()
  }

  #isTurnOf(ticks: number): boolean {
    return this.#ticks % ticks === 0
  }

  async #lookForLife(): Promise<void> {
    const core = this.#core
    for (const finding of await lookForLife(core, core.watched.values()))
      await this.#acts.underLock(finding.watch.task.id, 'waking up', () => onStuck(finding, core))
  }

  /** Requests looks in case a file event was missed, and repairs views that somebody damaged. */
  async #lookAtFiles(): Promise<void> {
    const core = this.#core
    const all = [...core.watched.values()]
    const turn = all.slice(this.#nextTurn, this.#nextTurn + FILES_PER_TICK)
    this.#nextTurn = this.#nextTurn + FILES_PER_TICK < all.length ? this.#nextTurn + FILES_PER_TICK : 0
    for (const { task } of turn) {
      core.requestLook(task.id)
      await this.#acts.guarded(`repairing ${task.id}`, () => core.handoff.repair(task))
    }
  }
}
