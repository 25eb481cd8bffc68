import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { unless } from './disk-error.ts'

const NOTHING = { bytes: new Uint8Array(), size: 0 }

/**
 * At most `most` bytes from `offset`, by one read, and the file's size then. A negative offset counts from
 * the end. A missing file is empty; neither a link nor a pipe put in its place can mislead or block us.
 */
export async function readPart(path: string, offset: number, most: number) {
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK
  const file = await open(path, flags).catch(unless(undefined, 'ENOENT', 'ENOTDIR', 'ELOOP'))
  if (file === undefined) return NOTHING
  try {
    const stat = await file.stat()
    if (!stat.isFile()) return NOTHING
    const from = offset < 0 ? Math.max(0, stat.size + offset) : offset
    const wanted = Math.max(0, Math.min(most, stat.size - from))
    const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(wanted), 0, wanted, from)
    return { bytes: buffer.subarray(0, bytesRead), size: stat.size }
  } finally {
    await file.close()
  }
}
