// Owns finding a repository and its checked-out commit. Both are read from git's own files: no process is started for a
// directory that is in none.
import { existsSync, lstatSync } from 'node:fs'
import { dirname, isAbsolute, join } from 'node:path'
import { filePlaces } from '../places/places.ts'

const COMMIT = /^[0-9a-f]{40}([0-9a-f]{24})?$/
/** Without the characters that git forbids in the name of a branch. */
const REF = /^ref: (refs\/[^\s:?*[\\^~]+)$/
/** A ref may name another one. */
const MOST_STEPS = 5

const { peek } = filePlaces

export type Repository = {
  /** The directory that has the `.git`. Settings can name another one; it is not followed. */
  readonly root: string
  /** The directory of a worktree's own HEAD and index. */
  readonly own: string
  /** The directory of the objects and refs, which worktrees share. */
  readonly common: string
}

/** The repository or worktree around a directory. */
export function repositoryAround(dir: string): Repository | undefined {
  for (let at = dir; ; at = dirname(at)) {
    if (existsSync(join(at, '.git/HEAD')) || isFile(join(at, '.git'))) return repositoryAt(at)
    if (at === dirname(at)) return undefined
  }
}

function repositoryAt(root: string): Repository | undefined {
  const own = gitDirectory(root)
  if (own === undefined) return undefined
  const shared = peek(join(own, 'commondir'))?.trim()
  return { root, own, common: shared ? absolute(shared, own) : own }
}

function gitDirectory(root: string): string | undefined {
  const place = join(root, '.git')
  if (!isFile(place)) return place
  const named = /^gitdir: (.+)$/m.exec(peek(place) ?? '')?.[1]
  return named === undefined ? undefined : absolute(named, root)
}

/** The checked-out commit. Null before the first one; undefined when it cannot be told. */
export function headOf({ own, common }: Repository): string | null | undefined {
  // Such a repository keeps its refs in tables.
  if (existsSync(join(common, 'reftable'))) return undefined
  let name = 'HEAD'
  for (let step = 0; step < MOST_STEPS; step++) {
    if (name.includes('..')) return undefined
    const text = (peek(join(own, name)) ?? peek(join(common, name)) ?? packed(name, common))?.trim()
    if (text === undefined) return step === 1 ? null : undefined
    if (COMMIT.test(text)) return text
    const next = REF.exec(text)?.[1]
    if (next === undefined) return undefined
    name = next
  }
  return undefined
}

function packed(name: string, common: string): string | undefined {
  const line = (peek(join(common, 'packed-refs')) ?? '').split('\n').find((one) => one.endsWith(` ${name}`))
  return line?.split(' ')[0]
}

/** Whether objects have names of the longer kind. */
export const isSha256 = ({ common }: Pick<Repository, 'common'>, commit: string | null): boolean =>
  commit === null
    ? /^\s*objectformat\s*=\s*sha256/im.test(peek(join(common, 'config')) ?? '')
    : commit.length === 64

/** Only a part of its files is checked out, and that is meant. */
export const isSparse = ({ own }: Repository): boolean => existsSync(join(own, 'info/sparse-checkout'))

const absolute = (path: string, from: string) => (isAbsolute(path) ? path : join(from, path))

function isFile(path: string): boolean {
  try {
    return lstatSync(path).isFile()
  } catch {
    return false
  }
}
