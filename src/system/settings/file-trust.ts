// Owns the approvals: one file each, so that two writers do not disturb each other, and a damaged file is just no approval.
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { unless } from '../../domain/system-error.ts'
import { iso } from '../../domain/task/session-record.ts'
import { contentHash } from '../../domain/text/content-hash.ts'
import type { Trust } from '../../ports/files/trust.ts'
import { systemClock } from '../clock.ts'
import { readPart } from '../disk/read-part.ts'
import { replaceFile } from '../disk/replace-file.ts'
import { withDiskErrors } from '../disk/with-disk-errors.ts'

const LARGEST_BYTES = 64 * 1024

type Record = { readonly file: string; readonly sha256: string }

/** `userDir` is ~/.config/holdfast. */
export function fileTrust(userDir: string): Trust {
  const dir = `${userDir}/trusted`
  const path = (file: string) => `${dir}/${contentHash(file)}.json`
  return {
    async approval(file, sha256) {
      const known = await readRecord(path(file))
      if (known?.file !== file) return 'new'
      return known.sha256 === sha256 ? 'approved' : 'changed'
    },
    async approve(file, sha256, by) {
      const record = { file, sha256, by, at: iso(systemClock.now()) }
      await replaceFile(path(file), `${JSON.stringify(record)}\n`, { durable: true, isShared: true })
    },
    async revoke(asked) {
      const names = await readdir(dir).catch(unless([], 'ENOENT', 'ENOTDIR'))
      const records = await Promise.all(names.map((name) => readRecord(`${dir}/${name}`)))
      const files = records.flatMap((known) => (known && isWithin(known.file, asked) ? [known.file] : []))
      await Promise.all(files.map((file) => withDiskErrors(dir, () => rm(path(file), { force: true }))))
      return files.sort()
    },
  }
}

const isWithin = (file: string, path: string) => `${file}/`.startsWith(join(path, '/'))

async function readRecord(path: string): Promise<Record | undefined> {
  const { bytes } = await readPart(path, 0, LARGEST_BYTES)
  try {
    const { file, sha256 } = JSON.parse(bytes.toString())
    return typeof file === 'string' ? { file, sha256 } : undefined
  } catch {
    return undefined
  }
}
