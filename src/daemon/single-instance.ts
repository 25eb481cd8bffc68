// Owns "one daemon per home": a kernel lock, held for life. kill -9 frees it; a stopped daemon keeps it.
import { closeSync, openSync, rmSync } from 'node:fs'
import { HoldfastError, messageOf } from '../domain/errors.ts'
import { loadDatabaseSync } from '../store/database/sqlite-library.ts'
import { replaceFile } from '../system/disk/replace-file.ts'
import { emptyLockFile, isUsableLock, moveUnusableAside } from './mend-lock.ts'

export type Holder = { readonly pid: number; readonly version: string; readonly started_at: string }
export type Lock = { release(): void }

/** Undefined when another daemon holds it. The file's content does not matter, only the lock on it. */
export function takeLock(path: string): Lock | undefined {
  if (!isUsableLock(path) && !mendLockFile(path)) return undefined
  return lockFile(path)
}

/** Moves away what is in the place of the lock file. One start at a time: two would take away each other's new file. */
function mendLockFile(path: string): boolean {
  const mending = lockFile(`${path}.mend`)
  if (mending === undefined) return false
  try {
    moveUnusableAside(path)
    return true
  } finally {
    mending.release()
  }
}

/** A file that can be read, but is no database, is emptied: if a daemon held the lock, it could not be read. */
function lockFile(path: string): Lock | undefined {
  try {
    return tryLock(path)
  } catch {
    emptyLockFile(path)
  }
  try {
    return tryLock(path)
  } catch (cause) {
    throw new HoldfastError('HOME_NOT_WRITABLE', `Cannot lock ${path}: ${messageOf(cause)}`, { cause })
  }
}

function tryLock(path: string): Lock | undefined {
  closeSync(openSync(path, 'a', 0o600))
  const DatabaseSync = loadDatabaseSync()
  const database = new DatabaseSync(path)
  try {
    database.exec('PRAGMA busy_timeout = 0; PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE')
  } catch (error) {
    database.close()
    if (/locked|busy/i.test(String(error))) return undefined
    throw error
  }
  return { release: () => database.close() }
}

/** For clients whose daemon does not answer: which process it is. Written only by the daemon that holds the lock. */
export const announceHolder = (path: string, holder: Holder) =>
  replaceFile(path, `${JSON.stringify(holder)}\n`)
export const withdrawHolder = (path: string) => rmSync(path, { force: true })
