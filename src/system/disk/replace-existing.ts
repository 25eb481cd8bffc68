import { existsSync, renameSync, rmSync, writeFileSync } from 'node:fs'

/** Whole or not at all, for us alone, and only where the file is there: what was deleted stays so. */
export function replaceExisting(path: string, content: string): void {
  if (!existsSync(path)) return
  const fresh = `${path}.new`
  try {
    writeFileSync(fresh, content, { mode: 0o600 })
    renameSync(fresh, path)
  } finally {
    rmSync(fresh, { force: true })
  }
}
