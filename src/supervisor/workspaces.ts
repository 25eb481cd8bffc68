// Owns which directories agents may work in. A person's use of a directory allows it; nobody else can.
import { HoldfastError } from '../domain/errors.ts'
import { asWorkspaceId } from '../domain/ids.ts'
import type { Workspace } from '../domain/task.ts'
import type { Core } from './core.ts'

export type AllowedDir = {
  readonly dir: string
  readonly project: string
  readonly workspace: Workspace
  readonly added: boolean
}

/** The workspace a directory lies in. With `allow`, a directory outside all of them becomes one. */
export async function allowedDir(
  asked: string,
  allow: { by: string } | null,
  core: Core,
): Promise<AllowedDir> {
  const dir = await core.places.realDirectory(asked)
  const found = deepestAround(dir, await core.store.workspaces())
  if (found !== undefined) return { dir, project: found.path, workspace: found, added: false }
  if (allow === null)
    throw new HoldfastError('WORKSPACE_NOT_ALLOWED', `${dir} is not in an allowed workspace.`)
  const workspace = await addWorkspace(await core.places.projectRoot(dir), undefined, allow.by, core)
  return { dir, project: workspace.path, workspace, added: true }
}

/** The workspace around a directory, or the directory's own project while it is not allowed yet. */
export async function projectAround(dir: string, core: Core): Promise<string> {
  const real = await core.places.realDirectory(dir)
  const allowed = await allowedDir(real, null, core).catch(() => undefined)
  return allowed?.project ?? core.places.projectRoot(real)
}

export async function addWorkspace(
  path: string,
  slug: string | undefined,
  by: string,
  core: Core,
): Promise<Workspace> {
  if (path === '/')
    throw new HoldfastError('WORKSPACE_NOT_ALLOWED', 'The root directory cannot be a workspace.')
  const known = await core.store.workspaces()
  const same = known.find((one) => one.path === path)
  if (same !== undefined) return same
  const at = core.clock.now()
  const workspace = await core.store.addWorkspace({
    id: asWorkspaceId(core.ids.random()),
    slug: freeSlug(slug ?? slugOf(path), known),
    path,
    addedAt: at,
    addedBy: by,
  })
  await core.store.audit({ at, kind: 'workspace_added', taskId: null, actor: by, detail: path })
  return workspace
}

/** By id, slug or path. A workspace with unfinished tasks stays. */
export async function removeWorkspace(which: string, by: string, core: Core): Promise<Workspace> {
  const found = (await core.store.workspaces()).find((one) => [one.id, one.slug, one.path].includes(which))
  if (found === undefined) throw new HoldfastError('WORKSPACE_NOT_FOUND', `No workspace '${which}'.`)
  const busy = await core.store.tasks({
    project: found.path,
    statuses: ['pending', 'running', 'waiting_input'],
    limit: 1,
  })
  if (busy.length > 0)
    throw new HoldfastError(
      'WORKSPACE_IN_USE',
      `${found.path} has unfinished tasks, for example ${busy[0]!.id}.`,
    )
  await core.store.removeWorkspace(found.id)
  await core.store.audit({
    at: core.clock.now(),
    kind: 'workspace_removed',
    taskId: null,
    actor: by,
    detail: found.path,
  })
  return found
}

const deepestAround = (dir: string, all: readonly Workspace[]) =>
  all
    .filter(({ path }) => dir === path || dir.startsWith(`${path}/`))
    .sort((a, b) => b.path.length - a.path.length)[0]

const slugOf = (path: string) =>
  path
    .split('/')
    .at(-1)!
    .replace(/[^A-Za-z0-9_-]+/g, '_')
    .replace(/^[^A-Za-z0-9]+/, '')
    .slice(0, 40) || 'workspace'

function freeSlug(wanted: string, known: readonly Workspace[]): string {
  const taken = new Set(known.map(({ slug }) => slug))
  if (!taken.has(wanted)) return wanted
  for (let n = 2; ; n++) if (!taken.has(`${wanted}_${n}`)) return `${wanted}_${n}`
}
