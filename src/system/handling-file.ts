// Owns the file with the runs that the daemon is handling right now: what it was doing when it died. A write into the page
// cache outlives its writer; nothing is synced.
import { constants, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs'
import { asRunId, type RunId } from '../domain/names/ids.ts'
import type { Handling } from '../ports/run/handling.ts'

/** Each run that is being handled has a slot, a fixed place in the file: entering and leaving are one small write each. */
const SLOT_BYTES = 64
const EMPTY = Buffer.alloc(SLOT_BYTES, ' ').fill('\n', SLOT_BYTES - 1)
const RUN_IDS = /[a-z0-9-]+/g

export class HandlingFile implements Handling {
  readonly #path: string
  #file: number | undefined
  #slots = 0
  readonly #free: number[] = []

  constructor(path: string) {
    this.#path = path
  }

  enter(runId: RunId): () => void {
    const slot = this.#free.pop() ?? this.#slots++
    this.#write(Buffer.from(`${runId.padEnd(SLOT_BYTES - 1)}\n`), slot)
    return () => {
      this.#write(EMPTY, slot)
      this.#free.push(slot)
    }
  }

  left(): RunId[] {
    try {
      return [...new Set(readFileSync(this.#path, 'utf8').match(RUN_IDS))].map(asRunId)
    } catch {
      return []
    }
  }

  clear(): void {
    try {
      ftruncateSync(this.#opened(), 0)
    } catch {
      // The disk is full or may not be written to: the runs in the file count once more at the next start.
    }
  }

  #write(bytes: Buffer, slot: number): void {
    try {
      writeSync(this.#opened(), bytes, 0, SLOT_BYTES, slot * SLOT_BYTES)
    } catch {
      // Handling the run matters more than the note about it.
    }
  }

  #opened(): number {
    // Not 'w': what the last daemon left is still to be read.
    this.#file ??= openSync(this.#path, constants.O_RDWR | constants.O_CREAT, 0o600)
    return this.#file
  }
}
