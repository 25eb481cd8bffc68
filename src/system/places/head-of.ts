// Owns which commit is checked out around a directory. It is read from git's own files: a task is created in less time than git
// takes to start.
import { existsSync, lstatSync } from 'node:fs'
import { dirname, isAbsolute, join } from 'node:path'

export const COMMIT = /^[0-9a-f]{40}([0-9a-f]{24})?$/
const REF = /^ref: (refs\/[\w./@+-]+)$/
/** A ref may name another one. */
const MOST_STEPS = 5

type Read = (path: string) => string | undefined

/** Null where there is no repository, no commit, or a kind of repository that keeps its refs otherwise. */
export function headOf(dir: string, read: Read): string | null {
  const found = repositoryAround(dir)
  const own = found === undefined ? undefined : gitDirectory(found, read)
  if (own === undefined) return null
  const common = commonDirectory(own, read)
  let name = 'HEAD'
  for (let step = 0; step < MOST_STEPS; step++) {
    if (name.includes('..')) return null
    const text = (read(join(own, name)) ?? read(join(common, name)) ?? packed(name, common, read))?.trim()
    if (text === undefined) return null
    if (COMMIT.test(text)) return text
    const next = REF.exec(text)?.[1]
    if (next === undefined) return null
    name = next
  }
  return null
}

/** The directory that has the `.git` of a repository, or the one of a worktree. */
export function repositoryAround(dir: string): string | undefined {
  for (let at = dir; ; at = dirname(at)) {
    if (existsSync(join(at, '.git/HEAD')) || isFile(join(at, '.git'))) return at
    if (at === dirname(at)) return undefined
  }
}

function gitDirectory(top: string, read: Read): string | undefined {
  const place = join(top, '.git')
  if (!isFile(place)) return place
  const named = /^gitdir: (.+)$/m.exec(read(place) ?? '')?.[1]
  return named === undefined ? undefined : absolute(named, top)
}

/** A worktree has its own HEAD, and shares the refs. */
function commonDirectory(own: string, read: Read): string {
  const named = read(join(own, 'commondir'))?.trim()
  return named ? absolute(named, own) : own
}

function packed(name: string, common: string, read: Read): string | undefined {
  const line = (read(join(common, 'packed-refs')) ?? '').split('\n').find((one) => one.endsWith(` ${name}`))
  return line?.split(' ')[0]
}

const absolute = (path: string, from: string) => (isAbsolute(path) ? path : join(from, path))

function isFile(path: string): boolean {
  try {
    return lstatSync(path).isFile()
  } catch {
    return false
  }
}
