// Owns opening a handoff directory: component by component from the project, never through a link.
// Node has no openat, so a directory's descriptor is used through /proc/self/fd, which always means that very directory.
// Synchronous, as each step is a system call of microseconds: through the thread pool they would take a hundred times that.
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmdirSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { HoldfastError } from '../domain/errors.ts'
import { isErrno } from '../domain/system-error.ts'
import type { TaskPlace } from '../ports/files/handoff.ts'
import { usingFile } from './using-file.ts'

const DIRECTORY = constants.O_RDONLY | constants.O_DIRECTORY
const NO_LINK = DIRECTORY | constants.O_NOFOLLOW
export const NEW_FILE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW

/** An inode's number is used again after a deletion; together with its time of birth it is unique. Without the device, whose number may change at boot. */
export type ViewIdentity = { readonly ino: string; readonly born: string }

const isArchived = ({ archivedAt }: TaskPlace) => typeof archivedAt === 'number'
/** The folders below `.holdfast` that lead to the view. */
const stepsTo = (place: TaskPlace) => (isArchived(place) ? ['archive', 'sessions'] : ['sessions'])
const otherPlace = (place: TaskPlace): TaskPlace => ({ ...place, archivedAt: isArchived(place) ? null : 0 })

export const viewPath = (place: TaskPlace) =>
  `${place.project}/.holdfast/${stepsTo(place).join('/')}/${place.id}`
export const below = (dir: number, name: string) => `/proc/self/fd/${dir}/${name}`

/** `dir` is a descriptor. */
export type OpenedView = { readonly dir: number; readonly identity: ViewIdentity }

/** Opens the directory that we created. Undefined when nothing is at its path; HANDOFF_UNSAFE when something else is there. */
export function findView(place: TaskPlace, known: ViewIdentity): OpenedView | undefined {
  try {
    return inSessions(place, 'find', (sessions) =>
      openChecked(below(sessions, place.id), (_, identity) => {
        if (!isSame(known, identity)) throw unsafe(place, 'another directory is in its place')
      }),
    )
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return undefined
    throw asUnsafe(place, error)
  }
}

/** Moves our directory to its place, out of the archive or into it. Undefined when it is not in the other place either. */
export function moveView(place: TaskPlace, known: ViewIdentity): OpenedView | undefined {
  const other = otherPlace(place)
  if (!isInPlace(other, known)) return undefined
  try {
    inSessions(other, 'find', (from) =>
      inSessions(place, 'make', (to) => renameSync(below(from, place.id), below(to, place.id))),
    )
  } catch (error) {
    throw asUnsafe(place, error)
  }
  // Finds out if something else was put in its place before the rename.
  return findView(place, known)
}

/** Creates the directory where nothing is. The caller records its identity before anything is written into it. */
export function makeView(place: TaskPlace): OpenedView {
  try {
    return inSessions(place, 'make', (sessions) => {
      mkdirSync(below(sessions, place.id), 0o700)
      return openChecked(below(sessions, place.id), (dir) => {
        if (readdirSync(below(dir, '')).length > 0)
          throw unsafe(place, 'something replaced it while Holdfast made it')
      })
    })
  } catch (error) {
    throw asUnsafe(place, error)
  }
}

/** Removes our own directory with the files named; anything else in it, or in its place, stays. */
export function removeView(place: TaskPlace, known: ViewIdentity, names: readonly string[]): void {
  const found = findView(place, known)
  if (!found) return
  usingFile(found.dir, (dir) => {
    for (const name of names) removeIfThere(below(dir, name))
  })
  removeEmptyView(place)
}

export const removeEmptyView = (place: TaskPlace) =>
  inSessions(place, 'find', (sessions) => rmdirSync(below(sessions, place.id)))

/** Ignores errors: a file that cannot be removed shows when the directory, not being empty, cannot be removed. */
export function removeIfThere(path: string): void {
  try {
    unlinkSync(path)
  } catch {}
}

/** Whether the path still leads to this directory without a link. No protection by itself: writes go through the descriptor. */
export function isInPlace(place: TaskPlace, known: ViewIdentity): boolean {
  try {
    const steps = ['.holdfast', ...stepsTo(place)]
    const above = steps.map((_, at) => `${place.project}/${steps.slice(0, at + 1).join('/')}`)
    const dir = lstatSync(viewPath(place), { bigint: true })
    return (
      above.every((path) => lstatSync(path).isDirectory()) &&
      dir.isDirectory() &&
      isSame(known, identityOf(dir))
    )
  } catch {
    return false
  }
}

const identityOf = ({ ino, birthtimeNs }: { ino: bigint; birthtimeNs: bigint }): ViewIdentity => ({
  ino: String(ino),
  born: String(birthtimeNs),
})
const isSame = (a: ViewIdentity, b: ViewIdentity) => a.ino === b.ino && a.born === b.born

function inSessions<T>(place: TaskPlace, how: 'find' | 'make', use: (sessions: number) => T): T {
  const walk = (dir: number, [next, ...rest]: string[]): T =>
    next === undefined ? use(dir) : usingFile(step(dir, next, how), (below) => walk(below, rest))
  // The path of the project was given by a person: links in it are followed.
  return usingFile(openSync(place.project, DIRECTORY), (root) =>
    usingFile(step(root, '.holdfast', how), (holdfast) => {
      if (how === 'make') hideFromGit(holdfast)
      return walk(holdfast, stepsTo(place))
    }),
  )
}

function step(dir: number, name: string, how: 'find' | 'make'): number {
  if (how === 'make') ignoreIfThere(() => mkdirSync(below(dir, name), 0o700))
  return openSync(below(dir, name), NO_LINK)
}

function hideFromGit(holdfast: number): void {
  ignoreIfThere(() =>
    usingFile(openSync(below(holdfast, '.gitignore'), NEW_FILE, 0o644), (file) => writeFileSync(file, '*\n')),
  )
}

function ignoreIfThere(make: () => unknown): void {
  try {
    make()
  } catch (error) {
    if (!isErrno(error, 'EEXIST')) throw error
  }
}

/** Opens a directory, and closes it again when the check throws. */
function openChecked(path: string, check: (dir: number, identity: ViewIdentity) => void): OpenedView {
  const dir = openSync(path, NO_LINK)
  try {
    const identity = identityOf(fstatSync(dir, { bigint: true }))
    check(dir, identity)
    return { dir, identity }
  } catch (error) {
    closeSync(dir)
    throw error
  }
}

const asUnsafe = (place: TaskPlace, error: unknown) =>
  isErrno(error, 'ELOOP', 'ENOTDIR', 'EEXIST', 'ENOTEMPTY')
    ? unsafe(place, 'a link, a file or another directory is in its place')
    : error

const unsafe = (place: TaskPlace, why: string) =>
  new HoldfastError('HANDOFF_UNSAFE', `${viewPath(place)} is not used: ${why}.`)
