// Owns the check whether another user could replace a path of ours by something else. The rules are those of ssh.
import { lstatSync, readlinkSync, type Stats } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { printable } from '../../domain/names/names.ts'
import { isOwnGroup, mayBeRootOutside, nameOfUser } from './user-names.ts'

/** What is wrong with one directory, link or file, and the command that fixes it; null when only its owner can. */
export type Unsafe = { readonly path: string; readonly why: string; readonly fix: string | null }

const ROOT = 0
const MOST_LINKS = 40
const STICKY = 0o1000

/** The user this process acts for; undefined where users have no numbers. */
export const ownUid = (): number | undefined => process.geteuid?.()

/**
 * The first directory, link or file on the way to `path`, itself included, that another user could replace.
 * The check ends at what does not exist yet or cannot be read.
 */
export function unsafeOnPath(path: string, uid = ownUid()): Unsafe | undefined {
  if (uid === undefined) return undefined
  for (const step of stepsTo(path)) {
    const unsafe = swappable(step.path, step.found, uid)
    if (unsafe !== undefined) return unsafe
  }
  return undefined
}

type Step = { readonly path: string; readonly found: Stats }

/** Every directory and link on the way to `path`, in the order in which the kernel passes them. */
function* stepsTo(path: string): Generator<Step> {
  const left = ['', ...resolve(path).split('/').filter(Boolean)]
  let at = '/'
  let links = 0
  for (let name = left.shift(); name !== undefined && links <= MOST_LINKS; name = left.shift()) {
    if (name === '..') at = dirname(at)
    if (name === '.' || name === '..') continue
    const next = join(at, name)
    const found = lstatIfThere(next)
    if (found === undefined) return
    yield { path: next, found }
    if (!found.isSymbolicLink()) at = next
    else {
      const target = readlinkSync(next)
      if (target.startsWith('/')) at = '/'
      left.unshift(...target.split('/').filter(Boolean))
      links += 1
    }
  }
}

export function lstatIfThere(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}

/** In a sticky directory others may create entries of their own, but not replace ours. */
function swappable(path: string, found: Stats, uid: number): Unsafe | undefined {
  if (found.uid !== uid && found.uid !== ROOT && !mayBeRootOutside(found.uid))
    return { path, why: `belongs to ${nameOfUser(found.uid)}`, fix: null }
  if (found.isSymbolicLink() || (found.mode & STICKY) !== 0) return undefined
  const others = (found.mode & 0o002) !== 0
  const group = (found.mode & 0o020) !== 0 && !isOwnGroup(found.gid, uid)
  if (!others && !group) return undefined
  const rights = others && group ? 'go-w' : others ? 'o-w' : 'g-w'
  const sudo = found.uid === uid || uid === ROOT ? '' : 'sudo '
  return {
    path,
    why: `can be changed by other users (mode ${modeOf(found)})`,
    fix: `${sudo}chmod ${rights} ${shellWord(path)}`,
  }
}

export const modeOf = ({ mode }: Stats) => (mode & 0o7777).toString(8).padStart(4, '0')

/** One word of a command line that a person may copy. */
export const shellWord = (text: string) =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`

export const unsafeText = ({ path, why, fix }: Unsafe) =>
  `${printable(path, 300)} ${why}${fix === null ? '' : `. Run: ${printable(fix, 400)}`}`
