// Owns orders: each is stored first, then carried out by the node that owns its task. Whoever gave it can wait until it
// is settled. Orders for one task take turns. One that was begun when its daemon died is carried out by the next daemon, if
// it had no effect yet.

import { tryCommit } from '../../changes/try-commit.ts'
import { asHoldfastError, HoldfastError, messageOf } from '../../domain/errors.ts'
import { asOrderId, type OrderId, type TaskId } from '../../domain/names/ids.ts'
import { printable } from '../../domain/names/names.ts'
import { isEnded } from '../../domain/task/machine.ts'
import {
  isSettled,
  type Order,
  type OrderDraft,
  type OrderKind,
  tookEffect,
  whyTooLate,
} from '../../domain/task/order.ts'
import type { Task } from '../../domain/task/task.ts'
import { Serial } from '../kernel/serial.ts'
import { existingTask } from '../task/existing-task.ts'
import type { OrdersNeeds } from './needs.ts'
import { checkNodeIsHeard, checkReachesNode, isOurs, needsEnvironment } from './of-other-node.ts'
import { type Given, orderActs } from './order-acts.ts'

const EXPIRES_AFTER_MS = 86_400_000
/** How often an order for another node is looked at, and the pause between two tries to store an outcome. */
const LOOK_MS = 500
/** Tries to store what came of an order, before a tick or the next daemon takes the order up. */
const SETTLING_TRIES = 60

export type OrderRequest = {
  readonly taskId: TaskId
  readonly kind: OrderKind
  readonly by: string
  /** The reason of a kill, or the prompt of a resume. */
  readonly words?: string | null
  /** A second request with the same key is the same order. */
  readonly key?: string | null
  readonly env?: Given['env']
}

/** Resolves when the order is settled; with false when there was nothing to do. Rejects with the reason when it was refused or too late. */
export type WhenSettled = () => Promise<boolean>

export class OrderBook {
  readonly #core: OrdersNeeds
  /** Orders for one task are carried out one after the other; only a kill does not wait. */
  readonly #turns = new Serial()
  readonly #underWay = new Map<OrderId, Promise<void>>()
  readonly #kills = new Map<TaskId, Promise<void>>()
  /** Being stored: whoever finds one of these by its key waits until it has begun. */
  readonly #beingStored = new Map<OrderId, Promise<unknown>>()

  constructor(core: OrdersNeeds) {
    this.#core = core
  }

  /** Resolves when the order is stored. */
  async give(request: OrderRequest): Promise<WhenSettled> {
    const { taskId, key = null, env } = request
    const known = key === null ? undefined : await this.#core.store.orderWithKey(taskId, key)
    if (known !== undefined && (known.kind !== request.kind || known.words !== (request.words ?? null)))
      throw new HoldfastError(
        'KEY_REUSED',
        `The key '${printable(key ?? '')}' belongs to an earlier order (${known.kind}); give this one (${request.kind}) a key of its own.`,
      )
    if (known !== undefined) return () => this.#settled(known.id)
    await checkReachesNode(request, this.#core)
    const draft = this.#draft(request)
    const storing = this.#store(draft, env).finally(() => this.#beingStored.delete(draft.id))
    this.#beingStored.set(draft.id, storing)
    if (!(await storing)) return this.give({ ...request, key: this.#keyInUse(key) })
    return () => this.#settled(draft.id)
  }

  /** False when there is one with its key. */
  async #store(draft: OrderDraft, env: Given['env']): Promise<boolean> {
    if ((await tryCommit({ giveOrder: draft }, this.#core)) === undefined) return false
    const order = await this.#existing(draft.id)
    if (order.state === 'begun') this.#begin(order, () => this.#carryOut(order, env))
    else if (isOurs(await existingTask(order.taskId, this.#core), this.#core))
      this.#begin(order, () => this.#takeTurn(order, env))
    return true
  }

  /**
   * Takes up the orders that nobody carries out: those that were given on other nodes, that a daemon left when it died, or
   * that were stored although the store failed then. Called at the daemon's start, after the runs that ended meanwhile
   * were harvested, and in each tick.
   */
  async takeUp(): Promise<void> {
    const open = (await this.#core.store.openOrders()).filter(({ id }) => !this.#beingStored.has(id))
    for (const order of open) if (order.state === 'begun') this.#begin(order, () => this.#goOnWith(order))
    for (const order of open)
      if (order.state === 'placed') this.#begin(order, () => this.#takeTurn(order, undefined))
  }

  #draft({ taskId, kind, by, words = null, key = null }: OrderRequest): OrderDraft {
    const at = this.#core.clock.now()
    const id = asOrderId(this.#core.ids.random())
    return { id, taskId, kind, by, at, key, words, expiresAt: at + EXPIRES_AFTER_MS }
  }

  /** A conflict means that an order with this key was stored a moment ago. Without a key there can be none. */
  #keyInUse(key: string | null): string {
    if (key === null) throw new Error('an order without a key was given before')
    return key
  }

  /** `work` never rejects. */
  #begin({ id, taskId, kind }: Order, work: () => Promise<void>): void {
    if (this.#underWay.has(id)) return
    const done = kind === 'kill' ? work() : this.#turns.run(taskId, work)
    this.#underWay.set(id, done)
    void done.finally(() => this.#underWay.delete(id))
    if (kind === 'kill') this.#noteKill(taskId, done)
  }

  #noteKill(taskId: TaskId, done: Promise<void>): void {
    this.#kills.set(taskId, done)
    void done.finally(() => this.#kills.get(taskId) === done && this.#kills.delete(taskId))
  }

  /** An order that had to wait may not fit any more, or a kill may have voided it. */
  async #takeTurn(order: Order, env: Given['env']): Promise<void> {
    const { store, clock, log } = this.#core
    try {
      await this.#kills.get(order.taskId)
      const version = (await store.taskVersion(order.taskId)) ?? 0
      const why = whyTooLate(order, version, clock.now())
      if (why !== null) await this.#settle(order, 'too_late', refusalOf(tooLateError(why)))
      else if (await this.#move(order, 'begun')) await this.#carryOut({ ...order, state: 'begun' }, env)
    } catch (error) {
      log.error('an order could not be begun; it is tried again', {
        order: order.id,
        error: messageOf(error),
      })
    }
  }

  /** For an order that was begun by somebody who does not carry it out any more. It may be settled since it was read. */
  async #goOnWith({ id }: Order): Promise<void> {
    try {
      const order = await this.#core.store.order(id)
      if (order?.state === 'begun') await this.#carryOut(order, undefined, true)
    } catch (error) {
      this.#core.log.error('an order could not be read; it is tried again', {
        order: id,
        error: messageOf(error),
      })
    }
  }

  /** Never rejects: the outcome is stored, also when it is an error. */
  async #carryOut(order: Order, env: Given['env'], isTakenUp = false): Promise<void> {
    const result = await this.#act(order, env, isTakenUp).then(
      (acted) => ({ to: 'done', outcome: { acted } }) as const,
      (error) => settledBy(asHoldfastError(error)),
    )
    // The store may be locked for a while: the outcome must not be lost because of that.
    for (let tries = 1; tries <= SETTLING_TRIES; tries++)
      try {
        return await this.#settle(order, result.to, result.outcome)
      } catch (error) {
        this.#core.log.error('an order could not be settled', { order: order.id, error: messageOf(error) })
        await this.#core.clock.sleep(LOOK_MS)
      }
  }

  async #act(order: Order, env: Given['env'], isTakenUp: boolean): Promise<boolean> {
    const { store, clock } = this.#core
    const hasWaited = (await this.#harvestFirst(order.taskId)) || isTakenUp
    const task = await existingTask(order.taskId, this.#core)
    if (isTakenUp && tookEffect(order, task)) return true
    const version = (await store.taskVersion(task.id)) ?? 0
    const why = hasWaited ? whyTooLate(order, version, clock.now()) : null
    if (why !== null) throw tooLateError(why)
    if (isTakenUp && needsEnvironment(order.kind, task)) throw withoutEnvironment(task)
    if (task.runtime !== null) mustFit(order.kind, task.runtime, task)
    return orderActs[order.kind]({ order, task, env }, this.#core)
  }

  /** An agent that has ended is known to have ended before the order meets its task: one that finished is not killed. False when none has. */
  async #harvestFirst(id: TaskId): Promise<boolean> {
    const { watched, runFiles, requestLook, withLock } = this.#core
    const run = watched.get(id)?.run
    if (run === undefined || (await runFiles.exit(run.id)) === undefined) return false
    requestLook(id)
    // The look has the task's lock before this.
    await withLock(id, async () => {})
    return true
  }

  async #settle(order: Order, to: 'done' | 'refused' | 'too_late', outcome: Order['outcome']): Promise<void> {
    await this.#move(order, to, outcome ?? undefined)
  }

  /** False when somebody else has changed the order's state meanwhile. */
  async #move(
    { id, state }: Order,
    to: Order['state'],
    outcome?: NonNullable<Order['outcome']>,
  ): Promise<boolean> {
    const at = this.#core.clock.now()
    const moved = await tryCommit(
      { order: { id, from: state, to, at, ...(outcome && { outcome }) } },
      this.#core,
    )
    return moved !== undefined
  }

  /** An order is missing only when its task was removed. */
  async #existing(id: OrderId): Promise<Order> {
    const order = await this.#core.store.order(id)
    if (order === undefined) throw new HoldfastError('TASK_NOT_FOUND', 'The task was removed meanwhile.')
    return order
  }

  async #settled(id: OrderId): Promise<boolean> {
    await this.#beingStored.get(id)
    for (;;) {
      await this.#underWay.get(id)
      const order = await this.#existing(id)
      if (isSettled(order)) return outcomeOf(order)
      await checkNodeIsHeard(order, this.#core)
      await this.#core.clock.sleep(LOOK_MS)
    }
  }
}

const tooLateError = (why: string) => new HoldfastError('ORDER_TOO_LATE', `The order is too late: ${why}.`)

const withoutEnvironment = ({ id }: Pick<Task, 'id'>) =>
  new HoldfastError(
    'ORDER_TOO_LATE',
    `The order was interrupted before it could bring back ${id}, and your environment is not stored.`,
  )

/** A runtime has no end of its own, and lives in its terminal. */
const FITS_RUNTIMES: ReadonlySet<OrderKind> = new Set(['resume', 'retry', 'unpark'])
function mustFit(kind: OrderKind, agentId: string, { status }: Task): void {
  if (!FITS_RUNTIMES.has(kind))
    throw new HoldfastError('RUNTIME_STANDS', `${agentId} is a runtime: it is stopped or removed as such.`)
  // Its row would still say that it is not wanted: it would be ended at once.
  if (isEnded(status))
    throw new HoldfastError(
      'RUNTIME_STANDS',
      `${agentId} is a runtime that is stopped: it is started as such.`,
    )
}

const settledBy = (error: HoldfastError) =>
  ({ to: error.code === 'ORDER_TOO_LATE' ? 'too_late' : 'refused', outcome: refusalOf(error) }) as const
const refusalOf = ({ code, message, waysOut }: HoldfastError) => ({ code, message, waysOut })

function outcomeOf({ outcome }: Order): boolean {
  if (outcome !== null && 'code' in outcome)
    throw new HoldfastError(outcome.code, outcome.message, { waysOut: outcome.waysOut ?? [] })
  return outcome?.acted ?? true
}
