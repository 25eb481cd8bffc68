// Owns the way to a handoff directory: component by component from the project, never through a link.
// Node has no openat, so a directory's descriptor is used through /proc/self/fd, which always means that very directory.
import { constants } from 'node:fs'
import { type FileHandle, lstat, mkdir, open, readdir, rmdir, unlink } from 'node:fs/promises'
import { HoldfastError } from '../domain/errors.ts'
import type { TaskPlace } from '../ports/handoff.ts'
import { isErrno } from './errno.ts'
import { withFile } from './with-file.ts'

const DIRECTORY = constants.O_RDONLY | constants.O_DIRECTORY
const NO_LINK = DIRECTORY | constants.O_NOFOLLOW
export const NEW_FILE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW

/** An inode's number is given away again after a deletion; with its birth it is one of a kind. No device: those change at boot. */
export type ViewIdentity = { readonly ino: string; readonly born: string }

export const viewPath = ({ id, project }: TaskPlace) => `${project}/.holdfast/sessions/${id}`
export const below = (dir: FileHandle, name: string) => `/proc/self/fd/${dir.fd}/${name}`

export type OpenedView = { readonly dir: FileHandle; readonly identity: ViewIdentity }

/** Opens the directory we once made. Undefined when the path is free; HANDOFF_UNSAFE when something else is there. */
export async function findView(place: TaskPlace, known: ViewIdentity): Promise<OpenedView | undefined> {
  try {
    return await inSessions(place, 'find', (sessions) =>
      openChecked(below(sessions, place.id), async (_, identity) => {
        if (!isSame(known, identity)) throw unsafe(place, 'another directory is in its place')
      }),
    )
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return undefined
    throw explained(place, error)
  }
}

/** Makes it where nothing is. `record` remembers whose it is before anything is written into it. */
export async function makeView(
  place: TaskPlace,
  record: (identity: ViewIdentity) => Promise<void>,
): Promise<OpenedView> {
  try {
    return await inSessions(place, 'make', async (sessions) => {
      await mkdir(below(sessions, place.id), 0o700)
      return openChecked(below(sessions, place.id), async (dir, identity) => {
        if ((await readdir(below(dir, ''))).length > 0)
          throw unsafe(place, 'it was replaced while we made it')
        await record(identity).catch(async (error) => {
          await rmdir(below(sessions, place.id)).catch(() => {})
          throw error
        })
      })
    })
  } catch (error) {
    throw explained(place, error)
  }
}

/** Removes our own directory with the files named; anything else in it, or in its place, stays. */
export async function removeView(
  place: TaskPlace,
  known: ViewIdentity,
  names: readonly string[],
): Promise<void> {
  const found = await findView(place, known)
  if (!found) return
  await withFile(Promise.resolve(found.dir), (dir) =>
    Promise.all(names.map((name) => unlink(below(dir, name)).catch(() => {}))),
  )
  await removeEmptyView(place)
}

export const removeEmptyView = (place: TaskPlace) =>
  inSessions(place, 'find', (sessions) => rmdir(below(sessions, place.id)))

/** Whether the path still leads to this directory without a link. Only tells; writing goes through the descriptor anyway. */
export async function isInPlace(place: TaskPlace, known: ViewIdentity): Promise<boolean> {
  try {
    const [holdfast, sessions, dir] = await Promise.all([
      lstat(`${place.project}/.holdfast`),
      lstat(`${place.project}/.holdfast/sessions`),
      lstat(viewPath(place), { bigint: true }),
    ])
    return [holdfast, sessions, dir].every((stats) => stats.isDirectory()) && isSame(known, identityOf(dir))
  } catch {
    return false
  }
}

const identityOf = ({ ino, birthtimeNs }: { ino: bigint; birthtimeNs: bigint }): ViewIdentity => ({
  ino: String(ino),
  born: String(birthtimeNs),
})
const isSame = (a: ViewIdentity, b: ViewIdentity) => a.ino === b.ino && a.born === b.born

async function inSessions<T>(
  { project }: TaskPlace,
  how: 'find' | 'make',
  use: (sessions: FileHandle) => Promise<T>,
): Promise<T> {
  // The project's own path is a person's word and is followed as it is.
  return withFile(open(project, DIRECTORY), (root) =>
    withFile(step(root, '.holdfast', how), async (holdfast) => {
      if (how === 'make') await ignoredByGit(holdfast)
      return withFile(step(holdfast, 'sessions', how), use)
    }),
  )
}

async function step(dir: FileHandle, name: string, how: 'find' | 'make'): Promise<FileHandle> {
  if (how === 'make') await mkdir(below(dir, name), 0o700).catch(unlessThere)
  return open(below(dir, name), NO_LINK)
}

async function ignoredByGit(holdfast: FileHandle): Promise<void> {
  await withFile(open(below(holdfast, '.gitignore'), NEW_FILE, 0o644), (file) => file.writeFile('*\n')).catch(
    unlessThere,
  )
}

const unlessThere = (error: unknown) => {
  if (!isErrno(error, 'EEXIST')) throw error
}

/** Opens a directory that is closed again when the check throws. */
async function openChecked(
  path: string,
  check: (dir: FileHandle, identity: ViewIdentity) => Promise<void>,
): Promise<OpenedView> {
  const dir = await open(path, NO_LINK)
  try {
    const identity = identityOf(await dir.stat({ bigint: true }))
    await check(dir, identity)
    return { dir, identity }
  } catch (error) {
    await dir.close()
    throw error
  }
}

const explained = (place: TaskPlace, error: unknown) =>
  isErrno(error, 'ELOOP', 'ENOTDIR', 'EEXIST')
    ? unsafe(place, 'a link, a file or somebody else’s directory is in its way')
    : error

const unsafe = (place: TaskPlace, why: string) =>
  new HoldfastError('HANDOFF_UNSAFE', `${viewPath(place)} is left alone: ${why}.`)
