// Owns whether the page is older than its daemon.
import { createSignal } from '../signal.ts'

/** The daemon's version when it differs from the page's. */
export const otherVersion = createSignal<string | undefined>(undefined)

export function hearVersion(version: string | null): void {
  if (version !== null) otherVersion.set(version === __VERSION__ ? undefined : version)
}
