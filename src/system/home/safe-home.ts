// Owns that nobody else can enter the home, or put something else in its place: agents are started by files that lie there.
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

/** Whoever answers there is told secrets, or started as us. */
const SOCKETS = ['daemon.sock', 'tmux.sock']

/** HOME_UNSAFE unless the home is ours alone. False when there is none yet, where it may be made. */
export function checkHome(home: string): boolean {
  const unsafe = unsafeHome(home)
  if (unsafe !== undefined) throw homeUnsafe(unsafe)
  return statIfThere(home) !== undefined
}

/** Made for us alone if need be, and checked: in /tmp somebody may have been quicker. */
export function makeSafeHome(home: string): void {
  checkHome(home)
  mkdirSync(home, { recursive: true, mode: 0o700 })
  checkHome(home)
}

/** While it was open, anybody may have left something in it: all that lies there is ours. */
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

/** Told first: the chmod of the home itself is the usual cure. */
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

/** A directory may be a link to another disk. */
function unsafeEntry(path: string, uid: number): Unsafe | undefined {
  const found = lstatIfThere(path)
  if (found === undefined) return undefined
  return (
    notOurs(path, uid) ??
    (found.isDirectory() || found.isSymbolicLink() ? unsafeOnPath(path, uid) : undefined)
  )
}

const homeUnsafe = (unsafe: Unsafe) => new HoldfastError('HOME_UNSAFE', unsafeText(unsafe))
