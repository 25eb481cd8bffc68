// Owns what the error of a system call means: its code, and the error that a person gets when a file could not be written.
import { type ErrorCode, HoldfastError, messageOf } from './errors.ts'

/** The code of a system error, such as `ENOENT`; undefined for other errors. */
export function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined
  return typeof error.code === 'string' ? error.code : undefined
}

export const isErrno = (error: unknown, ...codes: readonly string[]): boolean =>
  codes.includes(codeOf(error) ?? '')

/** For `.catch`: an error with one of these codes gives `instead`; any other is thrown again. */
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

/** The Holdfast error code for a disk that is full or not writable; undefined for any other error. */
export const diskCode = (error: unknown): ErrorCode | undefined => meanings[codeOf(error) ?? '']?.[0]

/** The HoldfastError for a disk that is full or not writable; undefined for any other error. */
export function diskError(error: unknown, path?: string): HoldfastError | undefined {
  const meaning = meanings[codeOf(error) ?? '']
  if (meaning === undefined) return undefined
  const [code, what] = meaning
  return new HoldfastError(code, `${what}: ${path ?? messageOf(error)}`, { cause: error })
}

/** Like `diskError`, but any other error is returned as it is. */
export const asDiskError = (error: unknown, path: string) => diskError(error, path) ?? error
