// Owns opening a file that a contract names: component by component, never through a link, never outside the directory.
// Node has no openat, so a directory's descriptor is used through /proc/self/fd, which always means that very directory.
import { type BigIntStats, closeSync, constants, fstatSync, openSync, readSync } from 'node:fs'
import { codeOf } from '../../domain/system-error.ts'

const DIRECTORY = constants.O_RDONLY | constants.O_DIRECTORY
/** Without O_NONBLOCK, opening a FIFO waits for a writer that never comes. */
const FILE = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK

/** The file does not exist, or is not one that we read. The message says which, as the end of a sentence. */
export class NotAFile extends Error {}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist',
  ELOOP: 'is a symbolic link',
  ENOTDIR: 'has a link or a file, not a directory, in its path',
  ENXIO: 'is not a regular file',
  EACCES: 'cannot be read',
}

export type OpenFile = { readonly file: number; readonly stat: BigIntStats }

/** `path` is relative and has no `..`: the contract's parser checks that. */
export function withFileBelow<T>(dir: string, path: string, use: (open: OpenFile) => T): T {
  try {
    const steps = path.split('/')
    return inDirectory(openSync(dir, DIRECTORY), steps, use)
  } catch (error) {
    const why = reasons[codeOf(error) ?? '']
    throw why === undefined ? error : new NotAFile(why)
  }
}

function inDirectory<T>(dir: number, [step = '', ...rest]: readonly string[], use: (open: OpenFile) => T): T {
  return closing(dir, () => {
    const below = `/proc/self/fd/${dir}/${step}`
    if (rest.length > 0) return inDirectory(openSync(below, DIRECTORY | constants.O_NOFOLLOW), rest, use)
    return closing(openSync(below, FILE), (file) => {
      const stat = fstatSync(file, { bigint: true })
      if (!stat.isFile()) throw new NotAFile('is not a regular file')
      return use({ file, stat })
    })
  })
}

function closing<T>(file: number, use: (file: number) => T): T {
  try {
    return use(file)
  } finally {
    closeSync(file)
  }
}

/** The whole text; NotAFile when it is larger than that, or not UTF-8. */
export function textOf({ file, stat }: OpenFile, mostBytes: number): string {
  if (stat.size > mostBytes)
    throw new NotAFile(`is too large to be read (${stat.size} of at most ${mostBytes} bytes)`)
  const buffer = Buffer.allocUnsafe(Number(stat.size))
  let length = 0
  while (length < buffer.length) {
    const read = readSync(file, buffer, length, buffer.length - length, length)
    if (read === 0) break
    length += read
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(buffer.subarray(0, length))
  } catch {
    throw new NotAFile('is not UTF-8 text')
  }
}

/** A text that changes whenever the file does. */
export function fileState(dir: string, path: string): string {
  try {
    return withFileBelow(dir, path, ({ stat }) => `${stat.ino} ${stat.size} ${stat.mtimeNs}`)
  } catch (error) {
    if (error instanceof NotAFile) return error.message
    throw error
  }
}
