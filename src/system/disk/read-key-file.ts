import { lstatSync, readFileSync } from 'node:fs'

/** The keys in a file. One that others could read or write, or that makes no sense, holds none. */
export function readKeyFile<Key>(path: string, isKey: (value: unknown) => value is Key): readonly Key[] {
  try {
    const found = lstatSync(path)
    if (!found.isFile() || (found.mode & 0o077) !== 0) return []
    const { keys } = JSON.parse(readFileSync(path, 'utf8')) as { keys?: unknown }
    return Array.isArray(keys) ? keys.filter(isKey) : []
  } catch {
    return []
  }
}
