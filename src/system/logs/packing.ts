import { createReadStream, createWriteStream, existsSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import type { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import type { Packing } from '../../ports/packing.ts'
import { withDiskErrors } from '../disk/with-disk-errors.ts'
import { logSize, readLog } from './read-log.ts'

/** Works in the thread pool: packing a large log does not hold up the event loop. */
export const gzipPacking: Packing = {
  async pack(path) {
    if (existsSync(path)) await convert(path, `${path}.gz`, createGzip())
  },
  async unpack(path) {
    if (!existsSync(`${path}.gz`)) return false
    await convert(`${path}.gz`, path, createGunzip())
    return true
  },
  readFrom: readLog,
  sizeOf: logSize,
}

/** The temporary name is fixed, so that what a crash left is overwritten. */
async function convert(from: string, to: string, by: Transform): Promise<void> {
  const temporary = `${to}.tmp`
  await withDiskErrors(to, async () => {
    try {
      await pipeline(createReadStream(from), by, createWriteStream(temporary, { mode: 0o600, flush: true }))
      await rename(temporary, to)
    } catch (error) {
      await rm(temporary, { force: true })
      throw error
    }
    await rm(from)
  })
}
