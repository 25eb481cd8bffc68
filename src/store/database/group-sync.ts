// Owns waiting for the disk: commits that come together share one wait, and nobody else is held up by it.
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

  /** One that runs may have begun before what we wait for was written; the next serves all who came meanwhile. */
  function wait(): Promise<void> {
    next ??= running
      .catch(() => {})
      .then(() => {
        running = next!
        next = undefined
        return sync()
      })
    return next
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

/** For a database that does this itself. */
export const syncedAlready: GroupSync = { wait: async () => {}, close: async () => {} }
