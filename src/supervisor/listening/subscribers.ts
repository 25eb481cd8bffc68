// Owns the durable readers of the journal that others bring: each is a DurableSubscriber, started before anything happens.
import type { Committed } from '../../ports/store/commits.ts'
import type { JournalListener } from '../kernel/journal.ts'
import { DurableSubscriber, type SubscriberNeeds, type Subscription } from './durable-subscriber.ts'

export class Subscribers implements JournalListener {
  readonly name = 'subscribers'
  readonly #needs: SubscriberNeeds
  readonly #all: DurableSubscriber[] = []

  constructor(needs: SubscriberNeeds) {
    this.#needs = needs
  }

  /** Must be called before `start`, so that the subscriber misses nothing. */
  add(subscription: Subscription): void {
    this.#all.push(new DurableSubscriber(subscription, this.#needs))
  }

  hear(committed: Committed): void {
    for (const one of this.#all) one.hear(committed)
  }

  async start(): Promise<void> {
    for (const one of this.#all) await one.start()
  }

  /** Tries what was set aside once more. Resolves when all that can be handled is. */
  async takeUpAll(): Promise<void> {
    for (const one of this.#all) await one.takeUpAll()
  }

  async stop(): Promise<void> {
    for (const one of this.#all) await one.stop()
  }
}
