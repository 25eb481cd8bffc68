// Owns knowing a file again: whether it is still as it was when its mark was made.
import { createHash } from 'node:crypto'
import { constants, type Stats } from 'node:fs'
import { lstat, open, readlink } from 'node:fs/promises'
import { unless } from '../../domain/system-error.ts'

/** Of a larger file, size and time stand for its content. */
const MOST_BYTES = 4 * 1024 * 1024
/** As for a large file, when so much was read for the others. */
const MOST_BYTES_TOGETHER = 64 * 1024 * 1024
const NONE = 'none'

/** Makes marks of many files. What changed after the millisecond `began` gets none: it is not of the beginning. */
export function fileMarks(began: number): (path: string) => Promise<string | undefined> {
  let left = MOST_BYTES_TOGETHER
  return async (path) => {
    const state = await stateOf(path)
    if (state !== undefined && state.ctimeMs >= began + 1) return undefined
    if (state === undefined || !state.isFile() || state.size > Math.min(left, MOST_BYTES))
      return markOf(path, state, false)
    left -= state.size
    return markOf(path, state, true)
  }
}

export async function isAsMarked(path: string, mark: string): Promise<boolean> {
  const state = await stateOf(path)
  if (state !== undefined && state.size > MOST_BYTES && mark.startsWith('sha256 ')) return false
  return mark === (await markOf(path, state, mark.startsWith('sha256 ')))
}

const stateOf = (path: string) => lstat(path).catch(unless(undefined, 'ENOENT', 'ENOTDIR'))

/** Links are not followed: where they lead to is compared, as git does. */
async function markOf(path: string, state: Stats | undefined, isRead: boolean): Promise<string> {
  if (state === undefined) return NONE
  if (state.isSymbolicLink()) return `link ${await readlink(path)}`
  const stat = `stat ${state.size} ${state.mtimeMs} ${state.mode}`
  return state.isFile() && isRead ? `sha256 ${await hashOf(path)} ${state.mode & 0o100}` : stat
}

/** Opened without blocking: a FIFO may have taken the place of the file. */
async function hashOf(path: string): Promise<string> {
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW)
  try {
    return createHash('sha256')
      .update(await file.readFile())
      .digest('hex')
  } finally {
    await file.close()
  }
}
