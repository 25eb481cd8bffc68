// Owns reading a file that somebody else wrote: it cannot block us, fill our memory or lead us elsewhere.
import { constants, fstatSync, openSync, readSync } from 'node:fs'
import { isErrno } from '../domain/system-error.ts'
import { usingFile } from './using-file.ts'

/** Without O_NONBLOCK, opening a FIFO waits for a writer that never comes. */
const READ = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK

/** The file is there, but we do not read it. The message says why. */
export class Refused extends Error {}

export type ReadLimits = { readonly mostBytes: number; readonly hardLinks: 'allowed' | 'refused' }

/** Undefined when there is no file; throws Refused for symbolic links, FIFOs, devices, directories and large files. */
export async function readRegular(path: string, limits: ReadLimits): Promise<Buffer | undefined> {
  try {
    return usingFile(openSync(path, READ), (file) => readWithin(file, limits))
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return undefined
    if (isErrno(error, 'ELOOP')) throw new Refused('it is a symbolic link')
    if (isErrno(error, 'ENXIO')) throw new Refused('it is not a regular file')
    throw error
  }
}

function readWithin(file: number, { mostBytes, hardLinks }: ReadLimits): Buffer {
  const stats = fstatSync(file)
  if (!stats.isFile()) throw new Refused('it is not a regular file')
  if (hardLinks === 'refused' && stats.nlink !== 1) throw new Refused('it has a second name (hard link)')
  if (stats.size > mostBytes)
    throw new Refused(`it is too large (${stats.size} bytes of at most ${mostBytes})`)
  const buffer = Buffer.allocUnsafe(stats.size)
  let length = 0
  while (length < buffer.length) {
    const read = readSync(file, buffer, length, buffer.length - length, length)
    if (read === 0) break
    length += read
  }
  return buffer.subarray(0, length)
}
