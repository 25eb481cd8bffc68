// Owns writing in the home: whole or not at all, and a full or forbidden disk in our words.
import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { HoldfastError, messageOf } from '../domain/errors.ts'
import { isErrno } from './errno.ts'

/** Fixed for each file, so that what a crash left is overwritten and does not pile up. */
export const tempName = (name: string) => `.${name}.tmp`

/**
 * Atomic. `durable` is for what the store could not give back after a power cut.
 * Synchronous, as the files are small: the thread pool would take several times as long as the disk.
 */
export async function replaceFile(path: string, text: string, { durable = false } = {}): Promise<void> {
  const temp = `${dirname(path)}/${tempName(basename(path))}`
  await onDisk(path, async () => {
    try {
      writeWhole(temp, text, durable)
      renameSync(temp, path)
    } catch (error) {
      rmSync(temp, { force: true })
      throw error
    }
    if (durable) syncDirectory(dirname(path))
  })
}

function writeWhole(path: string, text: string, durable: boolean): void {
  const file = openIn(path, 'w')
  try {
    writeFileSync(file, text)
    if (durable) fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

export const openToAppend = (path: string) => openIn(path, 'a')

/** A directory that was cleaned away by hand is made again. */
function openIn(path: string, flags: 'w' | 'a'): number {
  try {
    return openSync(path, flags, 0o600)
  } catch (error) {
    if (!isErrno(error, 'ENOENT')) throw error
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    return openSync(path, flags, 0o600)
  }
}

function syncDirectory(path: string): void {
  const directory = openSync(path, 'r')
  try {
    fsyncSync(directory)
  } finally {
    closeSync(directory)
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
