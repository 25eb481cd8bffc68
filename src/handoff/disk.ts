// Owns writing in the home: errors of the disk become HoldfastErrors.
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

/** Runs `work`; an error of the disk becomes DISK_FULL or HOME_NOT_WRITABLE. */
export async function withDiskErrors<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (cause) {
    // The directories above the file were there, or were created: what is missing now is the home itself.
    if (isErrno(cause, 'ENOTDIR', 'ENOENT'))
      throw new HoldfastError('HOME_NOT_WRITABLE', `Cannot write ${path}: ${messageOf(cause)}.`, { cause })
    throw asDiskError(cause, path)
  }
}
