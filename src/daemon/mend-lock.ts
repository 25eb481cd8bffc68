// Owns what may lie where the lock file should: its content means nothing, so nothing there keeps a daemon from starting.
import { chmodSync, lstatSync, renameSync, rmSync, statSync, truncateSync } from 'node:fs'
import { diskError } from '../domain/system-error.ts'

/** A file that can be opened, or nothing yet. A FIFO would hold us up for ever. */
export function isUsableLock(path: string): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false })
  return found === undefined || statSync(path, { throwIfNoEntry: false })?.isFile() === true
}

/** Not deleted: it may be somebody's. Looks again, as another start may have been quicker. */
export function moveUnusableAside(path: string): void {
  if (isUsableLock(path)) return
  const aside = `${path}.aside`
  rmSync(aside, { recursive: true, force: true })
  renameSync(path, aside)
}

/** Emptied in place: a new file would be a second lock. */
export function emptyLockFile(path: string): void {
  try {
    chmodSync(path, 0o600)
    truncateSync(path)
    for (const side of ['-journal', '-wal', '-shm'])
      rmSync(`${path}${side}`, { recursive: true, force: true })
  } catch (error) {
    throw diskError(error, path) ?? error
  }
}
