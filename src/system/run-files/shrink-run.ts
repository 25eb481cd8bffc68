import { lstat, readdir, rm, stat, utimes } from 'node:fs/promises'
import { unless } from '../../domain/system-error.ts'
import { gzipPacking } from '../logs/packing.ts'

/** The files that stay of a run whose task is archived. */
const STAYS = ['launch.json', 'events.jsonl', 'stderr.log']
const PACKED_ABOVE_BYTES = 1024 * 1024

/** The shim is removed first, so that nothing can start it any more. The directory keeps its time of change. */
export async function shrinkRun(directory: string): Promise<void> {
  const before = await stat(directory).catch(unless(undefined, 'ENOENT'))
  if (before === undefined) return
  await rm(`${directory}/shim`, { force: true })
  for (const name of await readdir(directory))
    if (!STAYS.some((stays) => name === stays || name === `${stays}.gz`))
      await rm(`${directory}/${name}`, { recursive: true, force: true })
  for (const name of STAYS) await packWhenLarge(`${directory}/${name}`)
  await utimes(directory, before.atime, before.mtime)
}

async function packWhenLarge(path: string): Promise<void> {
  const found = await lstat(path).catch(unless(undefined, 'ENOENT'))
  if (found?.isFile() && found.size > PACKED_ABOVE_BYTES) await gzipPacking.pack(path)
}
