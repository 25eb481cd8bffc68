export type ReplaceOptions = {
  /** Survives a power cut: for what the store could not give back. */
  readonly durable?: boolean
  readonly mode?: number
  /** Others may replace the same file at the same time. */
  readonly isShared?: boolean
}

/**
 * Replaces a file whole or not at all: readers see the old text or the new, never half, and a failure leaves the old.
 * Directories that are missing above it are made, for its owner alone. DISK_FULL, HOME_NOT_WRITABLE.
 */
export type ReplaceFile = (
  path: string,
  content: string | Uint8Array,
  options?: ReplaceOptions,
) => Promise<void>
