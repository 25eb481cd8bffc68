// Owns how much free disk space is enough. Pure.
import { roughByteSize } from './byte-size.ts'

const MB = 1024 * 1024
/** Below this, agents can hardly write any more. */
const NEARLY_FULL = 100 * MB
const LITTLE = 1024 * MB

export type FreeSpace = { readonly state: 'enough' | 'little' | 'nearly_full'; readonly words: string }

/** `bytes`: what can still be written. */
export function freeSpace(bytes: number): FreeSpace {
  const words = `${roughByteSize(bytes)} free`
  if (bytes < NEARLY_FULL) return { state: 'nearly_full', words }
  return { state: bytes < LITTLE ? 'little' : 'enough', words }
}
