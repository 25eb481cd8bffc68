import { randomUUID } from 'node:crypto'
import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { isErrno } from '../../domain/system-error.ts'
import type { ReplaceFile } from '../../ports/files/replace-file.ts'
import { withDiskErrors } from './with-disk-errors.ts'

/** Synchronous, as the files are small: the thread pool would take several times as long as the disk. */
export const replaceFile: ReplaceFile = (path, content, options = {}) => {
  const { durable = false, mode = 0o600, isShared = false } = options
  const temporary = temporaryFor(path, isShared)
  const flags = isShared ? 'wx' : 'w'
  return withDiskErrors(path, async () => {
    try {
      using(openIn(temporary, flags, mode), (file) => {
        writeFileSync(file, content)
        if (durable) fsyncSync(file)
      })
      renameSync(temporary, path)
    } catch (error) {
      rmSync(temporary, { force: true })
      throw error
    }
    // The rename itself is durable only once the directory is.
    if (durable) using(openSync(dirname(path), 'r'), fsyncSync)
  })
}

/** The name is fixed where only one process writes, so that what a crash left is overwritten and does not pile up. */
const temporaryFor = (path: string, isShared: boolean) =>
  `${dirname(path)}/.${basename(path)}.tmp${isShared ? `-${randomUUID()}` : ''}`

/** A directory that was cleaned away by hand is made again. */
function openIn(path: string, flags: 'w' | 'wx', mode: number): number {
  try {
    return openSync(path, flags, mode)
  } catch (error) {
    if (!isErrno(error, 'ENOENT')) throw error
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    return openSync(path, flags, mode)
  }
}

function using(file: number, act: (file: number) => void): void {
  try {
    act(file)
  } finally {
    closeSync(file)
  }
}
