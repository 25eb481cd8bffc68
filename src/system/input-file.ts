// Owns appending to what a run is told. Its offsets are stored before its bytes are written.
import { closeSync, constants, fstatSync, openSync, writeSync } from 'node:fs'

const FLAGS = constants.O_WRONLY | constants.O_APPEND | constants.O_NOFOLLOW | constants.O_NONBLOCK

/** Afterwards `bytes` stand at `offset`, of which an earlier try may have written a part. Nobody else writes there. */
export function appendMissing(path: string, offset: number, bytes: Uint8Array): void {
  const file = openSync(path, FLAGS)
  try {
    const stat = fstatSync(file)
    if (!stat.isFile()) throw new Error(`${path} is no file.`)
    if (stat.size < offset) throw new Error(`${path} has ${stat.size} bytes where ${offset} were written.`)
    let missing = bytes.subarray(stat.size - offset)
    while (missing.length > 0) missing = missing.subarray(writeSync(file, missing))
  } finally {
    closeSync(file)
  }
}
