// Owns where agents may work, on behalf of other rooms: directories, projects, workspaces and the roles found there.
import type { Workspace } from '../../domain/task/task.ts'
import type { RoleListing } from '../../ports/roles.ts'
import {
  type Allow,
  type AllowedDir,
  addWorkspace,
  allowedDir,
  projectAround,
  removeWorkspace,
} from '../starting/workspaces.ts'
import type { DeskNeeds } from './needs.ts'

export const placesDesk = (core: DeskNeeds) => ({
  /** The workspace that a directory lies in. With `allow`, a directory outside all workspaces becomes one. */
  allowed: (dir: string, allow: Allow | null): Promise<AllowedDir> => allowedDir(dir, allow, core),

  /** Like `allowed`, for a directory to work in: it is refused when no handoff directory can be made there. */
  allowedToWorkIn: (dir: string, allow: Allow | null): Promise<AllowedDir> =>
    allowedDir(dir, allow, core, core.places.checkWritable),

  /** The path with its links resolved. Throws DIRECTORY_NOT_FOUND unless it is a directory that can be entered. */
  realDirectory: (path: string): Promise<string> => core.places.realDirectory(path),

  /** The path of the workspace around a directory; for a directory in no workspace, the path of its project. */
  projectAround: (dir: string): Promise<string> => projectAround(dir, core),

  roles: (project: string): Promise<RoleListing[]> => core.roles.list(project),

  workspaces: (): Promise<Workspace[]> => core.store.workspaces(),

  /** `added` is false when the path was a workspace before. */
  async addWorkspace(
    path: string,
    slug: string | undefined,
    by: string,
  ): Promise<{ readonly workspace: Workspace; readonly added: boolean }> {
    const dir = await core.places.realDirectory(path)
    const before = (await core.store.workspaces()).length
    const workspace = await addWorkspace(dir, slug, by, core)
    return { workspace, added: (await core.store.workspaces()).length > before }
  },

  /** `which`: an id, slug or path. Throws WORKSPACE_IN_USE while a task there has not ended. */
  removeWorkspace: (which: string, by: string): Promise<Workspace> => removeWorkspace(which, by, core),
})
