// Owns locking a SQLite store from outside, as a backup program might.
import { createRequire } from 'node:module'
import { daemonScript } from '../cli/wire/daemon-script.ts'

/** Nobody else can write until the returned function is called. */
export function holdStore(path: string): () => void {
  const isBuiltIn = Number.parseInt(process.versions.node, 10) >= 24
  // The same library as the daemon's, from the place where the daemon finds it.
  const { DatabaseSync } = createRequire(daemonScript())(
    isBuiltIn ? 'node:sqlite' : '@photostructure/sqlite',
  ) as typeof import('@photostructure/sqlite')
  const database = new DatabaseSync(path)
  database.exec('PRAGMA busy_timeout = 5000; BEGIN EXCLUSIVE')
  return () => database.close()
}
