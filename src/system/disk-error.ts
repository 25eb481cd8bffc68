// Owns what a disk's refusal means to a person.
import { type ErrorCode, HoldfastError, messageOf } from '../domain/errors.ts'

const meanings: Readonly<Record<string, readonly [ErrorCode, string]>> = {
  ENOSPC: ['DISK_FULL', 'The disk is full'],
  EDQUOT: ['DISK_FULL', 'The disk quota is used up'],
  EACCES: ['HOME_NOT_WRITABLE', 'Not allowed to write'],
  EPERM: ['HOME_NOT_WRITABLE', 'Not allowed to write'],
  EROFS: ['HOME_NOT_WRITABLE', 'The file system is read-only'],
}

/** A full or forbidden disk as a HoldfastError; undefined for anything else. */
export function diskError(error: unknown, path?: string): HoldfastError | undefined {
  const meaning = meanings[codeOf(error) ?? '']
  if (meaning === undefined) return undefined
  const [code, what] = meaning
  return new HoldfastError(code, `${what}: ${path ?? messageOf(error)}`, { cause: error })
}

/** The same, with anything else left as it is. */
export const asDiskError = (error: unknown, path: string) => diskError(error, path) ?? error

/** Does it, with disk errors in our words. */
export async function onDisk<T>(path: string, act: () => Promise<T>): Promise<T> {
  try {
    return await act()
  } catch (error) {
    throw asDiskError(error, path)
  }
}

/** `ENOENT` and its kind; undefined for errors that are not the system's. */
export function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined
  return typeof error.code === 'string' ? error.code : undefined
}

/** For `.catch`: these codes give `instead`, the rest is thrown on. */
export const unless =
  <T>(instead: T, ...codes: string[]) =>
  (error: unknown): T => {
    if (codes.includes(codeOf(error) ?? '')) return instead
    throw error
  }
