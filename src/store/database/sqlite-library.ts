// Owns which SQLite we use: Node's own from 24 on; before that a package with the same API.
import { closeSync, openSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { DatabaseSyncInstance } from '@photostructure/sqlite'

export type Sqlite = DatabaseSyncInstance
export type DatabaseSync = new (path: string) => Sqlite

/** The bare class, without our settings. */
export function loadDatabaseSync(): DatabaseSync {
  const isBuiltIn = Number.parseInt(process.versions.node, 10) >= 24
  return createRequire(import.meta.url)(isBuiltIn ? 'node:sqlite' : '@photostructure/sqlite').DatabaseSync
}

/** A database whose commits are on disk once its -wal file is synced. Throws the library's own errors. */
export function openSqlite(path: string, busyTimeoutMs = 5000): Sqlite {
  // SQLite would create the file readable for everybody; the -wal and -shm files get the mode of this one.
  closeSync(openSync(path, 'a', 0o600))
  const sqlite = new (loadDatabaseSync())(path)
  try {
    for (const setting of [`busy_timeout=${busyTimeoutMs}`, ...SETTINGS]) sqlite.exec(`PRAGMA ${setting}`)
    return sqlite
  } catch (error) {
    sqlite.close()
    throw error
  }
}

/**
 * Set explicitly, because the defaults of the libraries differ. With FULL every commit would wait for the disk by itself
 * and hold up the whole daemon; NORMAL leaves that to `groupSync`, and still syncs before and after each checkpoint.
 */
const SETTINGS = ['journal_mode=WAL', 'synchronous=NORMAL', 'foreign_keys=ON']
