// Owns where personas are found: agents/<role>/<role>-agent.md in several folders, the first one wins.
import { readdir, realpath } from 'node:fs/promises'
import { sep } from 'node:path'
import { HoldfastError, isHoldfastError } from '../domain/errors.ts'
import { checkName, isName } from '../domain/names.ts'
import { nearest } from '../domain/nearest.ts'
import type { Role, RoleListing, Roles } from '../ports/roles.ts'
import { isErrno } from './errno.ts'
import { Refused, readRegular } from './read-regular.ts'
import { parseRoleFile, type RoleFile } from './role-file.ts'

const MOST_BYTES = 1024 * 1024

/** A role's whole file, more than a launch needs. */
export type LoadedRole = Role & RoleFile

/** `userDir` is ~/.config/holdfast. */
export function fileRoles({ userDir }: { userDir: string }): Roles {
  const folders = (project: string) => [
    `${project}/agents`,
    `${project}/.holdfast/agents`,
    `${userDir}/agents`,
  ]
  return {
    load: (role, project) => loadRole(folders(project), role),
    list: (project) => listRoles(folders(project)),
  }
}

/** Throws ROLE_NOT_FOUND or ROLE_INVALID. */
export async function loadRole(folders: readonly string[], role: string): Promise<LoadedRole> {
  checkName('Role', role)
  for (const folder of folders) {
    const found = await readRole(folder, role)
    if (found) return found
  }
  throw await notFound(folders, role)
}

/** All roles by name; a file that cannot be loaded is listed with its problem. */
export async function listRoles(folders: readonly string[]): Promise<RoleListing[]> {
  const found = new Map<string, RoleListing>()
  for (const folder of folders)
    for (const role of await namesIn(folder)) {
      const summary = found.has(role) ? undefined : await summarise(folder, role)
      if (summary) found.set(role, summary)
    }
  return [...found.values()].sort((a, b) => (a.role < b.role ? -1 : 1))
}

const roleFile = (folder: string, role: string) => `${folder}/${role}/${role}-agent.md`

async function readRole(folder: string, role: string): Promise<LoadedRole | undefined> {
  const file = roleFile(folder, role)
  const text = await readInside(folder, file)
  return text === undefined ? undefined : { role, file, ...parseRoleFile(text, file) }
}

async function summarise(folder: string, role: string): Promise<RoleListing | undefined> {
  try {
    const found = await readRole(folder, role)
    if (!found) return undefined
    const { description, agent, model, file, problem } = found
    return { role, description, agent, model, file, problem }
  } catch (error) {
    if (!isHoldfastError(error)) throw error
    const file = roleFile(folder, role)
    return { role, description: '', agent: null, model: null, file, problem: error.message }
  }
}

/** A link may lead to another place in the folder, never out of it: a persona is not a way to read other files. */
async function readInside(folder: string, file: string): Promise<string | undefined> {
  try {
    const real = await realpath(file)
    if (!real.startsWith(`${await realpath(folder)}${sep}`)) throw new Refused('it leads out of its folder')
    const bytes = await readRegular(real, { mostBytes: MOST_BYTES, hardLinks: 'allowed' })
    return bytes && new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (error) {
    if (isErrno(error, 'ENOENT', 'ENOTDIR')) return undefined
    throw new HoldfastError('ROLE_INVALID', `The role file ${file} cannot be used: ${whyNot(error)}.`, {
      cause: error,
    })
  }
}

function whyNot(error: unknown): string {
  if (error instanceof Refused) return error.message
  return (error as NodeJS.ErrnoException).code === 'ERR_ENCODING_INVALID_ENCODED_DATA'
    ? 'it is not UTF-8 text'
    : String((error as NodeJS.ErrnoException).code)
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder)).filter(isName)
  } catch (error) {
    if (isErrno(error, 'ENOENT', 'ENOTDIR', 'EACCES')) return []
    throw error
  }
}

async function notFound(folders: readonly string[], role: string): Promise<HoldfastError> {
  const known = await listRoles(folders)
  const near = nearest(
    role,
    known.map((listed) => listed.role),
  )
  const guess = near ? ` Did you mean '${near}'?` : ''
  return new HoldfastError(
    'ROLE_NOT_FOUND',
    `Agent '${role}' not found in agents/ (looked in ${folders.join(', ')}).${guess}`,
  )
}
