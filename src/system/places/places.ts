// Owns what the core asks about directories, programs and small files. Synchronous throughout: a stat takes microseconds, a
// turn in the thread pool a good part of a millisecond.
import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
} from 'node:fs'
import { dirname, isAbsolute, join } from 'node:path'
import { HoldfastError } from '../../domain/errors.ts'
import { printable } from '../../domain/names/names.ts'
import { codeOf } from '../../domain/system-error.ts'
import type { Places } from '../../ports/files/places.ts'
import { readOpenFile } from '../disk/read-part.ts'
import { isNodeScript, versionOf } from './program-version.ts'

export const filePlaces: Places = {
  async realDirectory(path) {
    try {
      const real = realpathSync(path)
      accessSync(real, constants.R_OK | constants.X_OK)
      if (statSync(real).isDirectory()) return real
    } catch (cause) {
      throw new HoldfastError('DIRECTORY_NOT_FOUND', `Directory not found: ${printable(path, 200)}`, {
        cause,
      })
    }
    throw new HoldfastError('DIRECTORY_NOT_FOUND', `Not a directory: ${printable(path, 200)}`)
  },

  checkWritable(project) {
    const place = [`${project}/.holdfast/sessions`, `${project}/.holdfast`, project].find(isThere) ?? project
    if (!isDirectory(place)) throw notWritable(place, 'not a directory')
    try {
      accessSync(place, constants.W_OK | constants.X_OK)
    } catch (cause) {
      throw notWritable(place, codeOf(cause) ?? '', cause)
    }
  },

  async findProgram(name, path) {
    if (isAbsolute(name)) return isProgram(name) ? name : undefined
    for (const dir of path.split(':').filter(isAbsolute))
      if (isProgram(join(dir, name))) return join(dir, name)
    return undefined
  },

  async projectRoot(dir) {
    for (let at = dir; at !== '/'; at = dirname(at)) if (isRepository(at)) return at
    return dir
  },

  peek(path) {
    try {
      return readSmallFile(path)
    } catch {
      return undefined
    }
  },

  versionOf,

  async nodeFor(path, env) {
    if (!isNodeScript(path)) return null
    const node = await filePlaces.findProgram('node', env.PATH ?? '')
    return node === undefined ? null : versionOf(node, ['--version'], env)
  },

  list(dir) {
    try {
      return readdirSync(dir)
    } catch {
      return []
    }
  },

  readFrom(path, offset, most) {
    try {
      const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
      try {
        return readOpenFile(file, offset, most).bytes
      } finally {
        closeSync(file)
      }
    } catch {
      return undefined
    }
  },
}

const isThere = (path: string) => {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined
  } catch {
    return false
  }
}

const notWritable = (place: string, why: string, cause?: unknown) =>
  new HoldfastError(
    'PROJECT_NOT_WRITABLE',
    `Cannot write to ${printable(place, 300)} (${why}): the directory of the session is created there.`,
    { cause },
  )

const LARGEST_PEEK_BYTES = 1024 * 1024

/** Opened without blocking: a FIFO in the place of the file must not hold us up. */
function readSmallFile(path: string): string | undefined {
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    const found = fstatSync(file)
    return found.isFile() && found.size <= LARGEST_PEEK_BYTES ? readFileSync(file, 'utf8') : undefined
  } finally {
    closeSync(file)
  }
}

/** A repository has `.git/HEAD`, a worktree a file `.git`. A directory `.git` alone may be a leftover of anything. */
const isRepository = (dir: string) => existsSync(join(dir, '.git/HEAD')) || isFile(join(dir, '.git'))

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return isFile(path)
  } catch {
    return false
  }
}

function isDirectory(path: string): boolean {
  try {
    return statSync(path).isDirectory()
  } catch {
    return false
  }
}

function isFile(path: string): boolean {
  try {
    return statSync(path).isFile()
  } catch {
    return false
  }
}
