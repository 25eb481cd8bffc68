import { lstatSync, opendirSync, type Stats } from 'node:fs'
import { setImmediate as letOthersRun } from 'node:timers/promises'
import { unless } from '../../domain/system-error.ts'

/** A stat takes some microseconds: a hundred thousand of them must not hold up the event loop. */
const LOOKED_AT_ONCE = 200
const BLOCK_BYTES = 512

/** Bytes that the files take on disk, holes left out. A file with two names counts once. */
export async function diskUsage(paths: readonly string[], mostEntries: number): Promise<number> {
  const seen = new Set<string>()
  let bytes = 0
  let entries = 0
  const waiting = [...paths]
  for (let path = waiting.pop(); path !== undefined && entries < mostEntries; path = waiting.pop()) {
    if (++entries % LOOKED_AT_ONCE === 0) await letOthersRun()
    const found = unlessGone(path, (there) => lstatSync(there))
    if (found === undefined || isKnown(found, seen)) continue
    bytes += found.blocks * BLOCK_BYTES
    if (found.isDirectory()) waiting.push(...(unlessGone(path, (there) => namesIn(there, mostEntries)) ?? []))
  }
  return bytes
}

function isKnown({ nlink, dev, ino }: Stats, seen: Set<string>): boolean {
  if (nlink === 1) return false
  const identity = `${dev}:${ino}`
  return seen.has(identity) || !seen.add(identity)
}

/** At most `most` paths, read one by one: a directory may have millions. */
function namesIn(path: string, most: number): string[] {
  const directory = opendirSync(path)
  try {
    const paths: string[] = []
    for (
      let entry = directory.readSync();
      entry !== null && paths.length < most;
      entry = directory.readSync()
    )
      paths.push(`${path}/${entry.name}`)
    return paths
  } finally {
    directory.closeSync()
  }
}

/** Undefined for what is gone or may not be read: agents delete files and change their modes meanwhile. */
function unlessGone<T>(path: string, look: (path: string) => T): T | undefined {
  try {
    return look(path)
  } catch (error) {
    return unless(undefined, 'ENOENT', 'ENOTDIR', 'EACCES', 'ELOOP', 'ENAMETOOLONG')(error)
  }
}
