// Owns appending to the input and event files of a run. The offset of an input is stored before its bytes are written.
import { closeSync, constants, fstatSync, openSync, writeSync } from 'node:fs'

const FLAGS = constants.O_WRONLY | constants.O_APPEND | constants.O_NOFOLLOW | constants.O_NONBLOCK

/** Appends all bytes, as a rule in one write. */
export function appendAll(path: string, bytes: Uint8Array): void {
  const file = openSync(path, FLAGS)
  try {
    if (!fstatSync(file).isFile()) throw new Error(`${path} is not a regular file.`)
    for (let left = bytes; left.length > 0; ) left = left.subarray(writeSync(file, left))
  } finally {
    closeSync(file)
  }
}

/** Afterwards the file has `bytes` at `offset`; an earlier try may have written a part of them. Nobody else writes there. */
export function appendMissing(path: string, offset: number, bytes: Uint8Array): void {
  const file = openSync(path, FLAGS)
  try {
    const stat = fstatSync(file)
    if (!stat.isFile()) throw new Error(`${path} is not a regular file.`)
    if (stat.size < offset)
      throw new Error(`${path} has ${stat.size} bytes, but ${offset} were written to it.`)
    let missing = bytes.subarray(stat.size - offset)
    while (missing.length > 0) missing = missing.subarray(writeSync(file, missing))
  } finally {
    closeSync(file)
  }
}
