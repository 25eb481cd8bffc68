import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { closeDatabase, openDatabase } from '../../src/store/database/backends.ts'
import { migrate } from '../../src/store/database/migrate.ts'

let made: Promise<Buffer> | undefined

/** Puts an empty store here that has had all migrations: for tests that are not about them, which take most of an opening. */
export async function putMigratedDatabase(path: string): Promise<void> {
  made ??= make()
  writeFileSync(path, await made, { mode: 0o600, flag: 'wx' })
}

async function make(): Promise<Buffer> {
  const dir = mkdtempSync(join(tmpdir(), 'hf-'))
  try {
    const path = join(dir, 'holdfast.db')
    const database = openDatabase({ path })
    await migrate(database, 0)
    await closeDatabase(database)
    return readFileSync(path)
  } finally {
    rmSync(dir, { recursive: true })
  }
}
