// Owns whether the window is as narrow as a phone. What only looks different is told by styles alone.
import { useSyncExternalStore } from 'react'

const narrow = matchMedia('(width < 48rem)')

function subscribe(listener: () => void): () => void {
  narrow.addEventListener('change', listener)
  return () => narrow.removeEventListener('change', listener)
}

export const useIsNarrow = (): boolean => useSyncExternalStore(subscribe, () => narrow.matches)
