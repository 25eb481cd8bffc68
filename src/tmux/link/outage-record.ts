// Owns what is known about an outage of the terminals: why, since when, and when the server is tried again.
import type { Clock } from '../../ports/clock.ts'
import type { ProcessIdentity } from '../../ports/run/processes.ts'
import type { Outage, TerminalHealth } from '../../ports/run/terminal.ts'
import { isNewOutage, restMsAfter } from './server-deaths.ts'
import { OUTAGE_WORDS } from './unavailable.ts'

export class OutageRecord {
  readonly #clock: Clock
  readonly #restMs: number
  #since: number | null
  #why: string | undefined
  #retryAt: number | null = null
  #timesGivenUp = 0
  #restedUntilMono = Number.NEGATIVE_INFINITY

  constructor(clock: Clock, restMs: number) {
    this.#clock = clock
    this.#restMs = restMs
    this.#since = clock.now()
  }

  /** `why`: the error of the last try. The time at which the outage began is kept until it is over. */
  note(health: TerminalHealth, why?: string): void {
    this.#retryAt = null
    this.#why = why
    if (health === 'up') this.#since = null
    else this.#since ??= this.#clock.now()
  }

  /** The server died too often: returns for how many ms it is left alone now. */
  startRest(): number {
    const now = this.#clock.monotonic()
    this.#timesGivenUp = isNewOutage(this.#restedUntilMono, now) ? 1 : this.#timesGivenUp + 1
    const restMs = restMsAfter(this.#restMs, this.#timesGivenUp)
    this.#restedUntilMono = now + restMs
    this.#retryAt = this.#clock.now() + restMs
    return restMs
  }

  outage(health: TerminalHealth, server: ProcessIdentity | undefined): Outage | null {
    if (health === 'up') return null
    return {
      health,
      why: this.#why ?? OUTAGE_WORDS[health],
      pid: health === 'hung' ? (server?.pid ?? null) : null,
      since: this.#since ?? this.#clock.now(),
      retryAt: this.#retryAt,
    }
  }
}
