// Owns signals to a process that is known by pid and start time: never to another one that got its pid later.
import type { Clock } from '../../ports/clock.ts'
import type { ProcessIdentities, ProcessIdentity } from '../../ports/run/processes.ts'

const POLL_MS = 5

export class KnownProcesses {
  readonly #told: ProcessIdentities
  readonly #clock: Clock

  constructor(told: ProcessIdentities, clock: Clock) {
    this.#told = told
    this.#clock = clock
  }

  get bootId(): string {
    return this.#told.bootId
  }

  identityOf = (pid: number) => this.#told.identityOf(pid)

  isAlive = ({ pid, startTicks }: ProcessIdentity) => this.identityOf(pid)?.startTicks === startTicks

  /** False when this very process is gone. */
  signal(who: ProcessIdentity, name: NodeJS.Signals): boolean {
    return this.isAlive(who) && takesSignal(who.pid, name)
  }

  /** False when the process is still there after `withinMs`. */
  async untilGone(who: ProcessIdentity, withinMs: number): Promise<boolean> {
    const deadline = this.#clock.monotonic() + withinMs
    while (this.isAlive(who) && this.#clock.monotonic() < deadline) await this.#clock.sleep(POLL_MS)
    return !this.isAlive(who)
  }
}

function takesSignal(pid: number, name: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, name)
  } catch {
    return false
  }
}
