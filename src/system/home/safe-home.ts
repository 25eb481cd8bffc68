// Owns that no other user can enter the home, or put something else in its place: agents are started by files in it.
import { mkdirSync, readdirSync, type Stats, statSync } from 'node:fs'
import { join } from 'node:path'
import { HoldfastError } from '../../domain/errors.ts'
import {
  lstatIfThere,
  modeOf,
  ownUid,
  shellWord,
  type Unsafe,
  unsafeOnPath,
  unsafeText,
} from './safe-path.ts'
import { nameOfUser } from './user-names.ts'

/** Whoever answers on these sockets receives secrets, or starts programs as us. */
const SOCKETS = ['daemon.sock', 'tmux.sock']

/** HOME_UNSAFE unless the home is ours alone. False when there is none yet, where it may be made. */
export function checkHome(home: string): boolean {
  const unsafe = unsafeHome(home)
  if (unsafe !== undefined) throw homeUnsafe(unsafe)
  return statIfThere(home) !== undefined
}

/** Creates the home for us alone if there is none, and checks it again: in /tmp somebody may have been quicker. */
export function makeSafeHome(home: string): void {
  checkHome(home)
  mkdirSync(home, { recursive: true, mode: 0o700 })
  checkHome(home)
}

/** HOME_UNSAFE unless every entry is ours: while the home was open to others, anybody may have left something in it. */
export function checkHomeEntries(home: string): void {
  const uid = ownUid()
  if (uid === undefined) return
  for (const name of readdirSync(home)) {
    const unsafe = unsafeEntry(join(home, name), uid)
    if (unsafe !== undefined) throw homeUnsafe(unsafe)
  }
}

export function unsafeHome(home: string, uid = ownUid()): Unsafe | undefined {
  if (uid === undefined) return undefined
  const found = statIfThere(home)
  return (
    (found && openToOthers(home, found, uid)) ??
    unsafeOnPath(home, uid) ??
    SOCKETS.map((name) => notOurs(join(home, name), uid)).find((unsafe) => unsafe !== undefined)
  )
}

/** Checked first, because a chmod of the home itself is the usual fix. */
function openToOthers(home: string, found: Stats, uid: number): Unsafe | undefined {
  if (found.uid !== uid) return { path: home, why: `belongs to ${nameOfUser(found.uid)}`, fix: null }
  if (!found.isDirectory() || (found.mode & 0o077) === 0) return undefined
  return {
    path: home,
    why: `is open to other users (mode ${modeOf(found)})`,
    fix: `chmod 700 ${shellWord(home)}`,
  }
}

function statIfThere(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}

function notOurs(path: string, uid: number): Unsafe | undefined {
  const found = lstatIfThere(path)
  if (found === undefined || found.uid === uid) return undefined
  return { path, why: `belongs to ${nameOfUser(found.uid)}`, fix: null }
}

/** A directory of the home may be a link to another disk: then the way there must be safe too. */
function unsafeEntry(path: string, uid: number): Unsafe | undefined {
  const found = lstatIfThere(path)
  if (found === undefined) return undefined
  return (
    notOurs(path, uid) ??
    (found.isDirectory() || found.isSymbolicLink() ? unsafeOnPath(path, uid) : undefined)
  )
}

const homeUnsafe = (unsafe: Unsafe) => new HoldfastError('HOME_UNSAFE', unsafeText(unsafe))
