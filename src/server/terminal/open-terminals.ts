// Owns how many terminals may be open at once: each is a process, and somebody who reloads a page may leave some behind.
import { HoldfastError } from '../../domain/errors.ts'
import type { Caller } from '../../domain/task/caller.ts'

const MOST_OF_A_CALLER = 8
const MOST_OF_ALL = 32

export class OpenTerminals {
  readonly #open = new Map<string, number>()

  /** Counts one more, until the returned function is called. TOO_MANY_TERMINALS when there are too many. */
  take(caller: Pick<Caller, 'name'>): () => void {
    this.check(caller)
    const { name } = caller
    this.#open.set(name, (this.#open.get(name) ?? 0) + 1)
    let isOpen = true
    return () => {
      if (isOpen) this.#less(name)
      isOpen = false
    }
  }

  /** TOO_MANY_TERMINALS when this caller may open no more. */
  check({ name }: Pick<Caller, 'name'>): void {
    const own = this.#open.get(name) ?? 0
    const all = [...this.#open.values()].reduce((sum, count) => sum + count, 0)
    if (own >= MOST_OF_A_CALLER)
      throw new HoldfastError('TOO_MANY_TERMINALS', `You have ${own} live terminals open.`)
    if (all >= MOST_OF_ALL)
      throw new HoldfastError('TOO_MANY_TERMINALS', `${all} live terminals are open on this machine.`)
  }

  #less(name: string): void {
    const left = (this.#open.get(name) ?? 0) - 1
    if (left > 0) this.#open.set(name, left)
    else this.#open.delete(name)
  }
}
