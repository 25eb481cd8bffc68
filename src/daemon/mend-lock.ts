// Owns repairing the lock file: its content means nothing, so whatever is in its place must not keep a daemon from starting.
import { chmodSync, lstatSync, renameSync, rmSync, statSync, truncateSync } from 'node:fs'
import { diskError } from '../domain/system-error.ts'

/** True for a regular file, or when there is nothing yet. Opening a FIFO would block us for ever. */
export function isUsableLock(path: string): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false })
  return found === undefined || statSync(path, { throwIfNoEntry: false })?.isFile() === true
}

/** Renamed, not deleted: it may be somebody's. Checks again, because another start may have been quicker. */
export function moveUnusableAside(path: string): void {
  if (isUsableLock(path)) return
  const aside = `${path}.aside`
  rmSync(aside, { recursive: true, force: true })
  renameSync(path, aside)
}

/** The file is emptied, not replaced: a new file would be a second lock. */
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
