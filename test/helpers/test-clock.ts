import type { Clock } from '../../src/ports/clock.ts'
import { settled } from './settled.ts'

type Timer = { readonly at: number; readonly call: () => void }

/** Time stands still until a test moves it. */
export class TestClock implements Clock {
  #wall: number
  /** A second after the boot: no process of a test began before that, however new the machine is. */
  #mono = 1000
  readonly #timers = new Set<Timer>()

  constructor(wall = new Date('2026-11-17T12:00:00').getTime()) {
    this.#wall = wall
  }

  now = () => this.#wall
  monotonic = () => this.#mono

  minuteOfDay = () => {
    const now = new Date(this.#wall)
    return now.getHours() * 60 + now.getMinutes()
  }

  sleep = (ms: number) => new Promise<void>((wake) => void this.after(ms, wake))

  after = (ms: number, call: () => void) => {
    const timer = { at: this.#mono + ms, call }
    this.#timers.add(timer)
    return () => void this.#timers.delete(timer)
  }

  /** Sets the wall clock on or back; no time passes. */
  set(byMs: number): void {
    this.#wall += byMs
  }

  /** Time passes. Who waits is called at its time, one after the other, and nobody waits for what they begin. */
  advance(ms: number): void {
    const end = this.#mono + ms
    for (let timer = this.#next(end); timer !== undefined; timer = this.#next(end)) this.#call(timer)
    this.#move(end)
  }

  /** The same; whoever is called is done, as far as that needs no more time, before the hands go on. */
  async pass(ms: number): Promise<void> {
    const end = this.#mono + ms
    await settled()
    for (let timer = this.#next(end); timer !== undefined; timer = this.#next(end)) {
      this.#call(timer)
      await settled()
    }
    this.#move(end)
  }

  /** Time passes, from one who waits to the next, until this holds. */
  async passUntil(what: string, holds: () => boolean | Promise<boolean>, withinMs = 60_000): Promise<void> {
    const end = this.#mono + withinMs
    for (;;) {
      await settled()
      if (await holds()) return
      const timer = this.#next(end)
      if (timer === undefined) throw new Error(`${withinMs} ms passed in vain for: ${what}`)
      this.#call(timer)
    }
  }

  /** Of two with the same time, the one that came first. */
  #next(end: number): Timer | undefined {
    const [first] = [...this.#timers].sort((a, b) => a.at - b.at)
    return first !== undefined && first.at <= end ? first : undefined
  }

  #call(timer: Timer): void {
    this.#timers.delete(timer)
    this.#move(Math.max(timer.at, this.#mono))
    timer.call()
  }

  #move(mono: number): void {
    this.#wall += mono - this.#mono
    this.#mono = mono
  }
}
