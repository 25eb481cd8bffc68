export type ReplaceOptions = {
  /** The file survives a power cut. For content that cannot be created again from the store. */
  readonly durable?: boolean
  readonly mode?: number
  /** Other processes may replace the same file at the same time. */
  readonly isShared?: boolean
}

/**
 * Replaces a file completely or not at all: readers see the old content or the new, and after a failure the old.
 * Missing directories above the file are created, for the owner alone. Throws DISK_FULL or HOME_NOT_WRITABLE.
 */
export type ReplaceFile = (
  path: string,
  content: string | Uint8Array,
  options?: ReplaceOptions,
) => Promise<void>
