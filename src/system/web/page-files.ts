// Owns reading the built page. A path is looked up in a list of all files, so that no path can lead out of the directory.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { PageFile, PageFiles } from '../../ports/page-files.ts'

/** All files are read with the first request: an upgrade beside a running daemon cannot mix two builds. */
export class DiskPageFiles implements PageFiles {
  readonly #dir: string
  #files: ReadonlyMap<string, PageFile> | undefined

  constructor(dir: string) {
    this.#dir = dir
  }

  async read(path: string): Promise<PageFile | undefined> {
    this.#files ??= filesIn(this.#dir)
    const found = this.#files
    // A page that is built only later is found then.
    if (found.size === 0) this.#files = undefined
    return found.get(path)
  }
}

function filesIn(dir: string): ReadonlyMap<string, PageFile> {
  try {
    const entries = readdirSync(dir, { recursive: true, withFileTypes: true })
    return new Map(
      entries.flatMap((entry) => {
        if (!entry.isFile()) return []
        const path = join(entry.parentPath, entry.name)
        const bytes = new Uint8Array(readFileSync(path))
        const hash = createHash('sha256').update(bytes).digest('base64url').slice(0, 22)
        return [[path.slice(dir.length + 1), { bytes, gzip: packed(bytes), hash }] as const]
      }),
    )
  } catch {
    return new Map()
  }
}

function packed(bytes: Uint8Array): Uint8Array<ArrayBuffer> | null {
  const gzip = new Uint8Array(gzipSync(bytes))
  return gzip.length < bytes.length * 0.9 ? gzip : null
}
