// Owns the file that names the clients of viewers, so that the next daemon ends them if this one is killed. Their
// terminals do not always close with the daemon: programs that it started meanwhile may have them open, too.
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { ProcessIdentity } from '../../ports/run/processes.ts'
import type { KnownProcesses } from '../link/known-processes.ts'

const fileOf = (socket: string) => `${socket}.viewers`

export class RecordedViewers {
  readonly #socket: string
  readonly #processes: KnownProcesses
  readonly #known = new Map<number, ProcessIdentity>()

  constructor(socket: string, processes: KnownProcesses) {
    this.#socket = socket
    this.#processes = processes
  }

  add(pid: number): void {
    const identity = this.#processes.identityOf(pid)
    if (identity === undefined) return
    this.#known.set(pid, identity)
    this.#write()
  }

  remove(pid: number): void {
    if (this.#known.delete(pid)) this.#write()
  }

  /** Ends what a killed daemon left. Without start ticks (macOS) a pid may belong to another process by now. */
  endLeftovers(): void {
    for (const { bootId, ...who } of this.#read())
      if (bootId === this.#processes.bootId && who.startTicks > 0) this.#processes.signal(who, 'SIGHUP')
    rmSync(fileOf(this.#socket), { force: true })
  }

  /** Synchronous, so that nothing happens between the start of a client and its record. */
  #write(): void {
    const { bootId } = this.#processes
    const all = [...this.#known.values()].map((identity) => ({ ...identity, bootId }))
    writeFileSync(fileOf(this.#socket), JSON.stringify(all), { mode: 0o600 })
  }

  #read(): { pid: number; startTicks: number; bootId: string }[] {
    try {
      const all: unknown = JSON.parse(readFileSync(fileOf(this.#socket), 'utf8'))
      return Array.isArray(all) ? all.filter(({ pid }) => Number.isInteger(pid) && pid > 1) : []
    } catch {
      return []
    }
  }
}
