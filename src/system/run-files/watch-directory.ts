import { type FSWatcher, mkdirSync, watch } from 'node:fs'
import { basename } from 'node:path'
import { codeOf } from '../../domain/system-error.ts'

const TRY_AGAIN_MS = 1000

export type WatchOptions = {
  readonly directory: string
  /** Makes the directory when it is missing; its parents never: a home that was removed stays removed. */
  readonly make: boolean
  /** A name in the directory changed, came or went. */
  readonly onName: (name: string) => void
  /** The watch was interrupted: anything may have happened meanwhile. */
  readonly onGap: () => void
}

/** One watch that is renewed after errors and after the deletion of the directory. Returns what ends it. */
export function watchDirectory({ directory, make, onName, onGap }: WatchOptions): () => void {
  let watcher: FSWatcher | undefined
  let timer: NodeJS.Timeout | undefined
  let ended = false

  const arm = () => {
    if (make) makeDirectory(directory)
    watcher = watch(directory, { persistent: false }, (_event, name) => {
      // The directory itself: deleted, moved, or its mode changed.
      if (name === null || name === basename(directory)) return rearm()
      onName(name)
    }).on('error', rearm)
  }
  const rearm = () => {
    if (ended) return
    watcher?.close()
    clearTimeout(timer)
    try {
      arm()
    } catch {
      // No inotify watch is left, or the home is gone: we try again from time to time.
      timer = setTimeout(rearm, TRY_AGAIN_MS).unref()
    }
    onGap()
  }

  try {
    arm()
  } catch {
    rearm()
  }
  return () => {
    ended = true
    watcher?.close()
    clearTimeout(timer)
  }
}

function makeDirectory(directory: string): void {
  try {
    mkdirSync(directory, { mode: 0o700 })
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error
  }
}
