import type { Hash } from 'node:crypto'
import type { Dirent } from 'node:fs'
import { lstat, readdir } from 'node:fs/promises'
import { isErrno } from '../../domain/system-error.ts'

/** Folders that are large and not part of the work. */
const LEFT_OUT = new Set(['.git', '.holdfast', 'node_modules'])
/** Of a larger tree only the first entries count; a change behind them is not noticed. */
const MOST_ENTRIES = 20_000

/** Adds names, sizes and times of all files below a directory, always in the same order. Links are not followed. */
export async function addTreeState(hash: Hash, dir: string): Promise<void> {
  const left = [dir]
  let seen = 0
  for (let next = left.pop(); next !== undefined && seen < MOST_ENTRIES; next = left.pop()) {
    const entries = (await entriesOf(next)).filter(({ name }) => !LEFT_OUT.has(name))
    entries.sort((a, b) => (a.name < b.name ? -1 : 1))
    for (const entry of entries.slice(0, MOST_ENTRIES - seen)) {
      seen++
      const path = `${next}/${entry.name}`
      if (entry.isDirectory()) left.push(path)
      hash.update(`${path}\0${entry.isDirectory() ? '' : await stateOf(path)}\0`)
    }
  }
}

const entriesOf = (dir: string): Promise<Dirent[]> =>
  readdir(dir, { withFileTypes: true }).catch((error) => ifGone(error, []))

const stateOf = (path: string): Promise<string> =>
  lstat(path, { bigint: true }).then(
    ({ ino, size, mtimeNs }) => `${ino} ${size} ${mtimeNs}`,
    (error) => ifGone(error, 'gone'),
  )

/** Files may go while we read, because somebody works there. */
function ifGone<T>(error: unknown, instead: T): T {
  if (isErrno(error, 'ENOENT', 'ENOTDIR', 'EACCES', 'ELOOP')) return instead
  throw error
}
