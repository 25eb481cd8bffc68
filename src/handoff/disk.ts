// Owns writing in the home: whole or not at all, and a full or forbidden disk in our words.
import { type FileHandle, mkdir, open, rename, rm } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { HoldfastError, messageOf } from '../domain/errors.ts'
import { isErrno } from './errno.ts'
import { withFile } from './with-file.ts'

/** Fixed for each file, so that what a crash left is overwritten and does not pile up. */
export const tempName = (name: string) => `.${name}.tmp`

/** Atomic. `durable` is for what the store could not give back after a power cut. */
export async function replaceFile(path: string, text: string, { durable = false } = {}): Promise<void> {
  const temp = `${dirname(path)}/${tempName(basename(path))}`
  await onDisk(path, async () => {
    try {
      await withFile(openIn(temp, 'w'), async (file) => {
        await file.writeFile(text)
        if (durable) await file.sync()
      })
      await rename(temp, path)
    } catch (error) {
      await rm(temp, { force: true }).catch(() => {})
      throw error
    }
    if (durable) await withFile(open(dirname(path)), (directory) => directory.sync())
  })
}

/** A directory that was cleaned away by hand is made again. */
export async function openIn(path: string, flags: 'a' | 'w'): Promise<FileHandle> {
  try {
    return await open(path, flags, 0o600)
  } catch (error) {
    if (!isErrno(error, 'ENOENT')) throw error
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    return open(path, flags, 0o600)
  }
}

/** Does it, with DISK_FULL and HOME_NOT_WRITABLE for what the system calls otherwise. */
export async function onDisk<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (cause) {
    if (isErrno(cause, 'ENOSPC', 'EDQUOT'))
      throw new HoldfastError('DISK_FULL', `No space left to write ${path}.`, { cause })
    if (isErrno(cause, 'EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'ENOENT'))
      throw new HoldfastError('HOME_NOT_WRITABLE', `Cannot write ${path}: ${messageOf(cause)}.`, { cause })
    throw cause
  }
}
