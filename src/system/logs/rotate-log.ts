import { readdir, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { unless } from '../../domain/system-error.ts'
import type { Packing } from '../../ports/files/packing.ts'

const WEEK_MS = 7 * 86_400_000
const MOST_KEPT = 4

/** A log that began a week ago becomes `<log>.<day>.gz`. Its writers open it by name for each line, so none is lost. */
export async function rotateLog(path: string, now: number, packing: Packing): Promise<void> {
  const found = await stat(path).catch(unless(undefined, 'ENOENT'))
  if (found !== undefined && found.size > 0 && now - found.birthtimeMs >= WEEK_MS)
    await rename(path, `${path}.${day(now)}`)
  const old = await rotatedFiles(path)
  // Also a file that an earlier daemon rotated but, because it died, did not pack.
  for (const name of old) if (!name.endsWith('.gz')) await packing.pack(name)
  const packed = (await rotatedFiles(path)).filter((name) => name.endsWith('.gz'))
  for (const name of packed.slice(0, -MOST_KEPT)) await rm(name, { force: true })
}

const day = (now: number) => new Date(now).toISOString().slice(0, 10)

/** The rotated files of this log, packed or not, oldest first. */
async function rotatedFiles(path: string): Promise<string[]> {
  const pattern = /^\.\d{4}-\d{2}-\d{2}(\.gz)?$/
  const names = await readdir(dirname(path)).catch(unless<string[]>([], 'ENOENT'))
  const base = basename(path)
  return names
    .filter((name) => name.startsWith(base) && pattern.test(name.slice(base.length)))
    .sort()
    .map((name) => `${dirname(path)}/${name}`)
}
