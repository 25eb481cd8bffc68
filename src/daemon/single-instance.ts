// Owns "one daemon per home": a kernel lock, held for life. kill -9 frees it; a stopped daemon keeps it.
import { closeSync, openSync, rmSync } from 'node:fs'
import { replaceFile } from '../handoff/disk.ts'
import { loadDatabaseSync } from '../store/sqlite-library.ts'

export type Holder = { readonly pid: number; readonly version: string; readonly started_at: string }
export type Lock = { release(): void }

/** Undefined when another daemon holds it. The file's content does not matter, only the lock on it. */
export function takeLock(path: string): Lock | undefined {
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

/** Told to those who meet a silent daemon. Written only by the lock's holder. */
export const announceHolder = (path: string, holder: Holder) =>
  replaceFile(path, `${JSON.stringify(holder)}\n`)
export const withdrawHolder = (path: string) => rmSync(path, { force: true })
