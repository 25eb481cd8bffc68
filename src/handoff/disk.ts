// Owns writing in the home, with a full or forbidden disk in our words.
import { mkdirSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { HoldfastError, messageOf } from '../domain/errors.ts'
import { asDiskError, isErrno } from '../domain/system-error.ts'

/** A directory that was cleaned away by hand is made again. */
export function openToAppend(path: string): number {
  try {
    return openSync(path, 'a', 0o600)
  } catch (error) {
    if (!isErrno(error, 'ENOENT')) throw error
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    return openSync(path, 'a', 0o600)
  }
}

/** Does it, with DISK_FULL and HOME_NOT_WRITABLE for what the system calls otherwise. */
export async function withDiskErrors<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (cause) {
    // The directories above it were there, or were made: what is missing now is the home itself.
    if (isErrno(cause, 'ENOTDIR', 'ENOENT'))
      throw new HoldfastError('HOME_NOT_WRITABLE', `Cannot write ${path}: ${messageOf(cause)}.`, { cause })
    throw asDiskError(cause, path)
  }
}
