import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs'
import { unless } from '../../domain/system-error.ts'

const NOTHING = { bytes: new Uint8Array(), size: 0, gone: true } as const
const FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK

/**
 * At most `most` bytes from `offset`, by one read, and the file's size then. A negative offset counts from
 * the end. A missing file is empty; neither a link nor a pipe put in its place can mislead or block us.
 * Synchronous, for files of the home: many agents may end at once, and the thread pool would delay each of them.
 */
export async function readPart(path: string, offset: number, most: number) {
  const file = openOrNone(path)
  if (file === undefined) return NOTHING
  try {
    return readOpenFile(file, offset, most)
  } finally {
    closeSync(file)
  }
}

export function readOpenFile(file: number, offset: number, most: number) {
  const stat = fstatSync(file)
  if (!stat.isFile()) return NOTHING
  const from = offset < 0 ? Math.max(0, stat.size + offset) : offset
  const bytes = Buffer.allocUnsafe(Math.max(0, Math.min(most, stat.size - from)))
  return { bytes: bytes.subarray(0, readSync(file, bytes, 0, bytes.length, from)), size: stat.size }
}

function openOrNone(path: string): number | undefined {
  try {
    return openSync(path, FLAGS)
  } catch (error) {
    return unless(undefined, 'ENOENT', 'ENOTDIR', 'ELOOP')(error)
  }
}
