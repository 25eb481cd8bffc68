// Owns waiting for the disk: commits that come together share one sync, and the event loop goes on meanwhile.
import { type FileHandle, open } from 'node:fs/promises'

export type GroupSync = {
  /** Resolves when everything written before the call is on disk. */
  readonly wait: () => Promise<void>
  readonly close: () => Promise<void>
}

/** The file must exist by the first wait, and stay the same one. */
export function groupSync(path: string): GroupSync {
  let file: FileHandle | undefined
  let running = Promise.resolve()
  let next: Promise<void> | undefined

  async function sync(): Promise<void> {
    file ??= await open(path, 'r+')
    await file.datasync()
  }

  /** A sync that is running may have begun before our write, so we wait for the next one, with all who came meanwhile. */
  function wait(): Promise<void> {
    if (next !== undefined) return next
    const ours: Promise<void> = running
      .catch(() => {})
      .then(() => {
        running = ours
        next = undefined
        return sync()
      })
    next = ours
    return ours
  }

  return {
    wait,
    async close() {
      await running.catch(() => {})
      await file?.close()
      file = undefined
    },
  }
}

/** For a database whose commits are on disk when they return. */
export const syncedAlready: GroupSync = { wait: async () => {}, close: async () => {} }
