import { existsSync, watch } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** Normally the watch notices the file. Checking again finds what watches miss (a replaced directory, no watch left). */
const LOOK_AGAIN_MS = 500

export async function waitForFile(path: string, signal: AbortSignal): Promise<void> {
  while (!existsSync(path)) {
    const changed = new AbortController()
    const watcher = watchQuietly(nearestDirectory(path), () => changed.abort())
    // Checked again after the watch began: the file may have appeared just before.
    if (!existsSync(path)) await sleepUntil(LOOK_AGAIN_MS, AbortSignal.any([signal, changed.signal]))
    watcher?.close()
    signal.throwIfAborted()
  }
}

function nearestDirectory(path: string): string {
  const parent = dirname(path)
  return existsSync(parent) || parent === path ? parent : nearestDirectory(parent)
}

function watchQuietly(directory: string, onChange: () => void) {
  try {
    return watch(directory, onChange).on('error', onChange)
  } catch {
    return undefined
  }
}

const sleepUntil = (ms: number, signal: AbortSignal) => sleep(ms, undefined, { signal }).catch(() => {})
