// Owns event files that somebody deleted while their agents write them: through the agent's open file they can still be read.
import { closeSync, constants, fstatSync, openSync } from 'node:fs'
import type { RunId } from '../../domain/names/ids.ts'
import type { ProcessIdentity } from '../../ports/run/processes.ts'
import { readStat } from '../processes/proc-stat.ts'

const STDOUT = 1

/** Files are kept open from the first read on: so the last lines can be read also when the agent is gone. */
export class HeldEvents {
  readonly #open = new Map<RunId, number>()

  /** A descriptor of the file that `writer` writes to; undefined when that is no file, or the process is gone. */
  of(runId: RunId, writer: ProcessIdentity | undefined): number | undefined {
    const held = this.#open.get(runId) ?? (writer && stdoutOf(writer))
    if (held !== undefined) this.#open.set(runId, held)
    return held
  }

  has(runId: RunId): boolean {
    return this.#open.has(runId)
  }

  size(runId: RunId): number | undefined {
    const held = this.#open.get(runId)
    return held === undefined ? undefined : fstatSync(held).size
  }

  release(runId: RunId): void {
    const held = this.#open.get(runId)
    if (held !== undefined) closeSync(held)
    this.#open.delete(runId)
  }
}

function stdoutOf({ pid, startTicks }: ProcessIdentity): number | undefined {
  if (readStat(pid)?.startTicks !== startTicks) return undefined
  let file: number | undefined
  try {
    file = openSync(`/proc/${pid}/fd/${STDOUT}`, constants.O_RDONLY | constants.O_NONBLOCK)
    if (fstatSync(file).isFile()) return file
  } catch {
    // The process has ended in between, or belongs to another user.
  }
  if (file !== undefined) closeSync(file)
  return undefined
}
