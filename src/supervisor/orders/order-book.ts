// Owns orders: each is stored first, then carried out by the node that owns its task. Who gave it waits until it is
// settled. What a daemon had begun with when it died, the next one checks, and does only where nothing came of it.

import { tryCommit } from '../../changes/try-commit.ts'
import { asHoldfastError, HoldfastError, messageOf } from '../../domain/errors.ts'
import { asOrderId, type OrderId, type TaskId } from '../../domain/names/ids.ts'
import { isEnded } from '../../domain/task/machine.ts'
import {
  afterCrash,
  isSettled,
  type Order,
  type OrderDraft,
  type OrderKind,
  whyTooLate,
} from '../../domain/task/order.ts'
import type { Task } from '../../domain/task/task.ts'
import { Serial } from '../kernel/serial.ts'
import { existingTask } from '../task/existing-task.ts'
import { acts, type Given } from './acts.ts'
import type { OrdersNeeds } from './needs.ts'

const EXPIRES_AFTER_MS = 86_400_000
/** An order for another node is looked at so often. */
const LOOK_MS = 500
const SETTLING_TRIES = 60

export type OrderRequest = {
  readonly taskId: TaskId
  readonly kind: OrderKind
  readonly by: string
  readonly words?: string | null
  /** The same key is the same order. */
  readonly key?: string | null
  readonly env?: Given['env']
}

/** Resolves when the order is settled; false when there was nothing to do. Rejects with the reason why it was not done. */
export type WhenSettled = () => Promise<boolean>

export class OrderBook {
  readonly #core: OrdersNeeds
  /** Orders of one task one after the other, but for those to end it. */
  readonly #turns = new Serial()
  readonly #underWay = new Map<OrderId, Promise<void>>()

  constructor(core: OrdersNeeds) {
    this.#core = core
  }

  /** Resolves when the order is stored. */
  async give(request: OrderRequest): Promise<WhenSettled> {
    const { taskId, key = null, env } = request
    const known = key === null ? undefined : await this.#core.store.orderWithKey(taskId, key)
    if (known !== undefined && known.kind !== request.kind)
      throw new HoldfastError('INVALID_REQUEST', `This key was given with an order to ${known.kind}.`)
    if (known !== undefined) return () => this.#settled(known.id)
    const draft = this.#draft(request)
    const given = await tryCommit({ giveOrder: draft }, this.#core)
    if (given === undefined) return this.give({ ...request, key: this.#mustHave(key) })
    const order = await this.#existing(draft.id)
    if (order.state === 'begun') this.#begin(order, env)
    return () => this.#settled(order.id)
  }

  /** At a daemon's start, after exit records were brought in. */
  async takeUp(): Promise<void> {
    for (const order of await this.#core.store.openOrders())
      if (order.state === 'begun') this.#begin(order, undefined, { isAfterCrash: true })
    await this.beginPlaced()
  }

  /** Those that other nodes gave. */
  async beginPlaced(): Promise<void> {
    const { store, clock } = this.#core
    for (const order of await store.openOrders()) {
      if (order.state !== 'placed') continue
      const version = (await store.taskVersion(order.taskId)) ?? 0
      const why = whyTooLate(order, version, clock.now())
      if (why !== null) await this.#settle(order, 'too_late', tooLate(why))
      else if (await this.#move(order, 'begun')) this.#begin({ ...order, state: 'begun' }, undefined)
    }
  }

  #draft({ taskId, kind, by, words = null, key = null }: OrderRequest): OrderDraft {
    const at = this.#core.clock.now()
    const id = asOrderId(this.#core.ids.random())
    return { id, taskId, kind, by, at, key, words, expiresAt: at + EXPIRES_AFTER_MS }
  }

  /** Two with one key at the same moment: the other one was quicker. */
  #mustHave(key: string | null): string {
    if (key === null) throw new Error('an order without a key was given before')
    return key
  }

  #begin(order: Order, env: Given['env'], { isAfterCrash = false } = {}): void {
    if (this.#underWay.has(order.id)) return
    const work = () => this.#carryOut(order, env, isAfterCrash)
    const done = order.kind === 'kill' ? work() : this.#turns.run(order.taskId, work)
    this.#underWay.set(order.id, done)
    void done.finally(() => this.#underWay.delete(order.id))
  }

  /** Never rejects: what it comes to is stored. */
  async #carryOut(order: Order, env: Given['env'], isAfterCrash: boolean): Promise<void> {
    const result = await this.#act(order, env, isAfterCrash).then(
      (acted) => ({ to: 'done', outcome: { acted } }) as const,
      (error) => ({ to: 'refused', outcome: refusalOf(asHoldfastError(error)) }) as const,
    )
    // The store may be locked for a while; what was done is not to be forgotten for that.
    for (let tries = 1; tries <= SETTLING_TRIES; tries++)
      try {
        return await this.#settle(order, result.to, result.outcome)
      } catch (error) {
        this.#core.log.error('an order could not be settled', { order: order.id, error: messageOf(error) })
        await this.#core.clock.sleep(LOOK_MS)
      }
  }

  async #act(order: Order, env: Given['env'], isAfterCrash: boolean): Promise<boolean> {
    const { store } = this.#core
    const task = await existingTask(order.taskId, this.#core)
    const version = (await store.taskVersion(task.id)) ?? 0
    if (isAfterCrash && afterCrash(order, task, version) === 'done') return true
    if (isAfterCrash && BRINGS_BACK.has(order.kind) && isEnded(task.status)) throw withoutEnvironment(task)
    if (task.runtime !== null && !FITS_RUNTIMES.has(order.kind)) throw stands(task.runtime)
    return acts[order.kind]({ order, task, env }, this.#core)
  }

  async #settle(order: Order, to: 'done' | 'refused' | 'too_late', outcome: Order['outcome']): Promise<void> {
    await this.#move(order, to, outcome ?? undefined)
  }

  /** False when somebody else moved it. */
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

  /** A task takes its orders with it. */
  async #existing(id: OrderId): Promise<Order> {
    const order = await this.#core.store.order(id)
    if (order === undefined) throw new HoldfastError('TASK_NOT_FOUND', 'The task was removed meanwhile.')
    return order
  }

  async #settled(id: OrderId): Promise<boolean> {
    for (;;) {
      await this.#underWay.get(id)
      const order = await this.#existing(id)
      if (isSettled(order)) return outcomeOf(order)
      if (order.state === 'begun' && !this.#underWay.has(id)) throw unsettled()
      await this.#core.clock.sleep(LOOK_MS)
    }
  }
}

const tooLate = (why: string) =>
  ({ code: 'ORDER_TOO_LATE', message: `The order is too late: ${why}.`, waysOut: [] }) as const

/** The environment that came with the order may hold secrets, so it was not stored. */
const BRINGS_BACK: ReadonlySet<OrderKind> = new Set(['resume', 'retry'])
const withoutEnvironment = ({ id }: Pick<Task, 'id'>) =>
  new HoldfastError(
    'ORDER_TOO_LATE',
    `The daemon was stopped before it could bring back ${id}, and your environment is not stored.`,
  )

/** A runtime has no end of its own, and lives in its terminal. */
const FITS_RUNTIMES: ReadonlySet<OrderKind> = new Set(['resume', 'retry', 'unpark'])
const stands = (agentId: string) =>
  new HoldfastError('RUNTIME_STANDS', `${agentId} is a runtime: it is stopped or removed as such.`)

const refusalOf = ({ code, message, waysOut }: HoldfastError) => ({ code, message, waysOut })
const unsettled = () =>
  new HoldfastError(
    'INTERNAL',
    'What came of the order could not be stored. The next daemon looks at it again.',
  )

function outcomeOf({ outcome }: Order): boolean {
  if (outcome !== null && 'code' in outcome)
    throw new HoldfastError(outcome.code, outcome.message, { waysOut: outcome.waysOut ?? [] })
  return outcome?.acted ?? true
}
