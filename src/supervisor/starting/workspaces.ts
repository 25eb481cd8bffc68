// Owns which directories agents may work in. A person's use of a directory allows it; nobody else can.
import { HoldfastError } from '../../domain/errors.ts'
import { asWorkspaceId } from '../../domain/names/ids.ts'
import type { Workspace } from '../../domain/task/workspace.ts'
import type { Change } from '../../ports/store/commits.ts'
import type { Reads } from '../../ports/store/store.ts'
import type { TaskReads } from '../../ports/store/tasks.ts'
import type { WorkspaceReads } from '../../ports/store/workspaces.ts'
import type { Core } from '../task/core.ts'

export type AllowedDir = {
  readonly dir: string
  readonly project: string
  readonly workspace: Workspace
  readonly added: boolean
}

/** A person allows a directory by using it. To allow their whole home directory, or more, they must say so. */
export type Allow = {
  readonly by: string
  /** The person's home directory, where it is known. */
  readonly home: string | undefined
  /** The person was asked, and wants to allow all of it. */
  readonly isWideMeant: boolean
}

/**
 * The workspace in which a directory lies. With `allow`, the project of a directory outside all workspaces becomes one.
 * `check` throws to refuse the project; then nothing is allowed.
 */
export async function allowedDir(
  asked: string,
  allow: Allow | null,
  core: Pick<Core, 'clock' | 'commit' | 'ids' | 'places'> & Reads<WorkspaceReads>,
  check: (project: string) => void = () => {},
): Promise<AllowedDir> {
  const dir = await core.places.realDirectory(asked)
  const found = deepestAround(dir, await core.store.workspaces())
  if (found !== undefined) {
    check(found.path)
    return { dir, project: found.path, workspace: found, added: false }
  }
  if (allow === null)
    throw new HoldfastError('WORKSPACE_NOT_ALLOWED', `${dir} is not in an allowed workspace.`)
  const root = await core.places.projectRoot(dir)
  if (!allow.isWideMeant && isWide(root, await realHome(allow, core)))
    throw new HoldfastError('WORKSPACE_TOO_WIDE', `Agents would be allowed to work in all of ${root}.`)
  check(root)
  const { workspace } = await addWorkspace(root, undefined, allow.by, core)
  return { dir, project: workspace.path, workspace, added: true }
}

const realHome = async ({ home }: Allow, { places }: Pick<Core, 'places'>) =>
  home === undefined ? undefined : await places.realDirectory(home).catch(() => undefined)

/** True for a directory that contains the person's whole home directory, and for `/`. */
const isWide = (root: string, home: string | undefined) =>
  root === '/' || root === home || home?.startsWith(`${root}/`) === true

/** The workspace around a directory, or the directory's own project while it is not allowed yet. */
export async function projectAround(
  dir: string,
  core: Pick<Core, 'clock' | 'commit' | 'ids' | 'places'> & Reads<WorkspaceReads>,
): Promise<string> {
  const real = await core.places.realDirectory(dir)
  const allowed = await allowedDir(real, null, core).catch(() => undefined)
  return allowed?.project ?? core.places.projectRoot(real)
}

/** `added` is false when the path was a workspace before. */
export type AddedWorkspace = { readonly workspace: Workspace; readonly added: boolean }

/** `along` is stored with it. */
export async function addWorkspace(
  path: string,
  slug: string | undefined,
  by: string,
  core: Pick<Core, 'clock' | 'commit' | 'ids'> & Reads<WorkspaceReads>,
  along: (done: AddedWorkspace) => Pick<Change, 'requestKey'> = () => ({}),
): Promise<AddedWorkspace> {
  const known = await core.store.workspaces()
  const same = known.find((one) => one.path === path)
  if (same !== undefined) {
    const done = { workspace: same, added: false }
    const { requestKey } = along(done)
    if (requestKey !== undefined) await core.commit({ requestKey })
    return done
  }
  const at = core.clock.now()
  const workspace = {
    id: asWorkspaceId(core.ids.random()),
    slug: freeSlug(slug ?? slugOf(path), known),
    path,
    addedAt: at,
    addedBy: by,
  }
  await core.commit({
    workspace,
    audit: { at, kind: 'workspace_added', taskId: null, actor: by, detail: path },
    ...along({ workspace, added: true }),
  })
  // Somebody else may have added the same path at this moment.
  const stored = (await core.store.workspaces()).find((one) => one.path === path) ?? workspace
  return { workspace: stored, added: stored.id === workspace.id }
}

/** `which`: id, slug or path. A workspace with unfinished tasks is not removed: WORKSPACE_IN_USE. */
export async function removeWorkspace(
  which: string,
  by: string,
  core: Pick<Core, 'clock' | 'commit'> & Reads<TaskReads & WorkspaceReads>,
): Promise<Workspace> {
  const found = (await core.store.workspaces()).find((one) => [one.id, one.slug, one.path].includes(which))
  if (found === undefined) throw new HoldfastError('WORKSPACE_NOT_FOUND', `No workspace '${which}'.`)
  const [busy] = await core.store.tasks({
    project: found.path,
    statuses: ['pending', 'running', 'waiting_input'],
    limit: 1,
  })
  if (busy !== undefined)
    throw new HoldfastError('WORKSPACE_IN_USE', `${found.path} has unfinished tasks, for example ${busy.id}.`)
  const at = core.clock.now()
  await core.commit({
    dropWorkspace: found.id,
    audit: { at, kind: 'workspace_removed', taskId: null, actor: by, detail: found.path },
  })
  return found
}

const deepestAround = (dir: string, all: readonly Workspace[]) =>
  all
    .filter(({ path }) => dir === path || dir.startsWith(path === '/' ? path : `${path}/`))
    .sort((a, b) => b.path.length - a.path.length)[0]

const slugOf = (path: string) =>
  path
    .slice(path.lastIndexOf('/') + 1)
    .replace(/[^A-Za-z0-9_-]+/g, '_')
    .replace(/^[^A-Za-z0-9]+/, '')
    .slice(0, 40) || 'workspace'

function freeSlug(wanted: string, known: readonly Workspace[]): string {
  const taken = new Set(known.map(({ slug }) => slug))
  if (!taken.has(wanted)) return wanted
  for (let n = 2; ; n++) if (!taken.has(`${wanted}_${n}`)) return `${wanted}_${n}`
}
