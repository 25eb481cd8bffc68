// Owns finding role files: agents/<role>/<role>-agent.md in several folders, of which the first one wins.
import { readdir, realpath } from 'node:fs/promises'
import { sep } from 'node:path'
import { HoldfastError, isHoldfastError } from '../domain/errors.ts'
import { checkName, isName } from '../domain/names/names.ts'
import { nearest } from '../domain/names/nearest.ts'
import { approvalText, mayWiden } from '../domain/settings/approval.ts'
import { wideningTerms } from '../domain/settings/role-terms.ts'
import { codeOf, isErrno } from '../domain/system-error.ts'
import { contentHash } from '../domain/text/content-hash.ts'
import type { Role, RoleListing, Roles } from '../ports/files/roles.ts'
import type { Trust } from '../ports/files/trust.ts'
import { Refused, readRegular } from './read-regular.ts'
import { parseRoleFile, type RoleFile } from './role-file.ts'

const MOST_BYTES = 1024 * 1024

/** A role with everything that its file says. */
export type LoadedRole = Role & RoleFile

/** A folder, and how far the files there are trusted. */
type Folder = { readonly path: string; readonly approval: Trust['approval'] }

/** `userDir` is ~/.config/holdfast. */
export function fileRoles({ userDir, trust }: { userDir: string; trust: Pick<Trust, 'approval'> }): Roles {
  const ofProject = (project: string): Folder[] =>
    [`${project}/agents`, `${project}/.holdfast/agents`].map((path) => ({ path, approval: trust.approval }))
  const folders = (project: string): Folder[] => [
    ...ofProject(project),
    { path: `${userDir}/agents`, approval: async () => 'own' },
  ]
  return {
    load: (role, project) => loadRole(folders(project), role),
    list: (project) => listRoles(folders(project)),
    ofProject: (project) => usableRoles(ofProject(project)),
  }
}

/** Throws ROLE_NOT_FOUND or ROLE_INVALID. */
async function loadRole(folders: readonly Folder[], role: string): Promise<LoadedRole> {
  checkName('Role', role)
  for (const folder of folders) {
    const found = await readRole(folder, role)
    if (found) return found
  }
  throw await notFound(folders, role)
}

/** All roles by name; a file that cannot be loaded is listed with its problem. */
async function listRoles(folders: readonly Folder[]): Promise<RoleListing[]> {
  const found = new Map<string, RoleListing>()
  for (const folder of folders)
    for (const role of await namesIn(folder.path)) {
      const summary = found.has(role) ? undefined : await summarise(folder, role)
      if (summary) found.set(role, summary)
    }
  return [...found.values()].sort((a, b) => (a.role < b.role ? -1 : 1))
}

async function usableRoles(folders: readonly Folder[]): Promise<LoadedRole[]> {
  const listed = await listRoles(folders)
  const loaded = listed.map(({ role }) => loadRole(folders, role).catch(unlessInvalid))
  return (await Promise.all(loaded)).filter((role) => role !== undefined)
}

function unlessInvalid(error: unknown): undefined {
  if (!isHoldfastError(error, 'ROLE_INVALID', 'ROLE_NOT_FOUND')) throw error
}

const roleFile = (folder: Folder, role: string) => `${folder.path}/${role}/${role}-agent.md`

async function readRole(folder: Folder, role: string): Promise<LoadedRole | undefined> {
  const file = roleFile(folder, role)
  const text = await readInside(folder.path, file)
  if (text === undefined) return undefined
  const sha256 = contentHash(text)
  return { role, file, sha256, approval: await folder.approval(file, sha256), ...parseRoleFile(text, file) }
}

async function summarise(folder: Folder, role: string): Promise<RoleListing | undefined> {
  try {
    const found = await readRole(folder, role)
    if (!found) return undefined
    const { description, agent, model, file } = found
    const widens = unapproved(found)
    const problem = widens ?? found.problem
    return { role, description, agent, model, file, problem, needsTrust: widens !== null }
  } catch (error) {
    if (!isHoldfastError(error)) throw error
    const file = roleFile(folder, role)
    const nothing = { description: '', agent: null, model: null }
    return { role, ...nothing, file, problem: error.message, needsTrust: false }
  }
}

/** The usual duration depends on the command, so only a wider permission is reported here, not a longer duration. */
function unapproved(role: LoadedRole): string | null {
  const widening = wideningTerms(role, { permission: 'default', maxDurationMs: null })
  if (mayWiden(role.approval) || widening.length === 0) return null
  return `${approvalText(role.approval)} (${widening.join(', ')})`
}

/** A link may lead to another place in the folder, never out of it: a persona is not a way to read other files. */
async function readInside(folder: string, file: string): Promise<string | undefined> {
  try {
    const real = await realpath(file)
    if (!real.startsWith(`${await realpath(folder)}${sep}`))
      throw new Refused('it is a link that leads out of its folder')
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
  const code = codeOf(error)
  return code === 'ERR_ENCODING_INVALID_ENCODED_DATA' ? 'it is not UTF-8 text' : String(code)
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder)).filter(isName)
  } catch (error) {
    if (isErrno(error, 'ENOENT', 'ENOTDIR', 'EACCES')) return []
    throw error
  }
}

async function notFound(folders: readonly Folder[], role: string): Promise<HoldfastError> {
  const known = await listRoles(folders)
  const near = nearest(
    role,
    known.map((listed) => listed.role),
  )
  const guess = near ? ` Did you mean '${near}'?` : ''
  return new HoldfastError(
    'ROLE_NOT_FOUND',
    `Agent '${role}' not found in agents/ (looked in ${folders.map(({ path }) => path).join(', ')}).${guess}`,
  )
}
