// Owns what a refused system call means: its code, and what that says to a person when a file was to be written.
import { type ErrorCode, HoldfastError, messageOf } from './errors.ts'

/** `ENOENT` and its kind; undefined for errors that are not the system's. */
export function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined
  return typeof error.code === 'string' ? error.code : undefined
}

export const isErrno = (error: unknown, ...codes: readonly string[]): boolean =>
  codes.includes(codeOf(error) ?? '')

/** For `.catch`: these codes give `instead`, the rest is thrown on. */
export const unless =
  <T>(instead: T, ...codes: string[]) =>
  (error: unknown): T => {
    if (isErrno(error, ...codes)) return instead
    throw error
  }

const meanings: Readonly<Record<string, readonly [ErrorCode, string]>> = {
  ENOSPC: ['DISK_FULL', 'The disk is full'],
  EDQUOT: ['DISK_FULL', 'The disk quota is used up'],
  EACCES: ['HOME_NOT_WRITABLE', 'Not allowed to write'],
  EPERM: ['HOME_NOT_WRITABLE', 'Not allowed to write'],
  EROFS: ['HOME_NOT_WRITABLE', 'The file system is read-only'],
}

/** What a disk that is full or forbidden is called by us; undefined for anything else. */
export const diskCode = (error: unknown): ErrorCode | undefined => meanings[codeOf(error) ?? '']?.[0]

/** The same as an error that says so. */
export function diskError(error: unknown, path?: string): HoldfastError | undefined {
  const meaning = meanings[codeOf(error) ?? '']
  if (meaning === undefined) return undefined
  const [code, what] = meaning
  return new HoldfastError(code, `${what}: ${path ?? messageOf(error)}`, { cause: error })
}

/** The same, with anything else left as it is. */
export const asDiskError = (error: unknown, path: string) => diskError(error, path) ?? error
