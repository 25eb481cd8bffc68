// Owns the ticking of ages: one timer for the whole page, and none while nobody looks.
import { useSyncExternalStore } from 'react'
import { serverNow } from '../connection/server-clock.ts'

const listeners = new Set<() => void>()
let tick = 0
let timer: ReturnType<typeof setInterval> | undefined

function beat(): void {
  if (document.hidden) return
  tick += 1
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  timer ??= setInterval(beat, 1000)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}

/** Epoch ms by the daemon's clock, anew every second; undefined before the daemon has said anything. */
export function useServerNow(): number | undefined {
  useSyncExternalStore(subscribe, () => tick)
  return serverNow()
}
