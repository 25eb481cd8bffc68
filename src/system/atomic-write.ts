import { randomUUID } from 'node:crypto'
import { type FileHandle, open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { onDisk } from './disk-error.ts'

/** Replaces a file whole or not at all, also over a power cut. Readers see the old text or the new, never half. */
export function writeAtomically(path: string, content: string | Uint8Array, mode = 0o600): Promise<void> {
  const temporary = `${path}.tmp-${randomUUID()}`
  return onDisk(path, async () => {
    try {
      await withFile(await open(temporary, 'wx', mode), (file) => file.writeFile(content))
      await rename(temporary, path)
    } catch (error) {
      await rm(temporary, { force: true })
      throw error
    }
    // The rename itself is durable only once the directory is.
    await withFile(await open(dirname(path), 'r'), async () => {})
  })
}

async function withFile(file: FileHandle, act: (file: FileHandle) => Promise<void>): Promise<void> {
  try {
    await act(file)
    await file.sync()
  } finally {
    await file.close()
  }
}
