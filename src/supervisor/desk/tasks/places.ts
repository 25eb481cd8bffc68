// Owns where agents may work, on behalf of other rooms: directories, projects, workspaces and the roles found there.
import type { Workspace } from '../../../domain/task/workspace.ts'
import type { RoleListing } from '../../../ports/files/roles.ts'
import type { RequestKey } from '../../../ports/store/request-keys.ts'
import { oncePerKey, withKey } from '../../kernel/once-per-key.ts'
import {
  type AddedWorkspace,
  type Allow,
  type AllowedDir,
  addWorkspace,
  allowedDir,
  projectAround,
  removeWorkspace,
} from '../../starting/workspaces.ts'
import type { DeskNeeds } from '../needs.ts'

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

  /** Asked again with the same key, it is told what was done then. */
  async addWorkspace(
    path: string,
    slug: string | undefined,
    by: string,
    key: RequestKey | undefined,
  ): Promise<AddedWorkspace> {
    const dir = await core.places.realDirectory(path)
    const along = (done: AddedWorkspace) => withKey(key, { made: JSON.stringify(done), at: core.clock.now() })
    return await oncePerKey(
      key,
      {
        make: () => addWorkspace(dir, slug, by, core, along),
        madeBefore: async ({ made }) => JSON.parse(made) as AddedWorkspace,
      },
      core,
    )
  },

  /** `which`: an id, slug or path. Throws WORKSPACE_IN_USE while a task there has not ended. */
  removeWorkspace: (which: string, by: string): Promise<Workspace> => removeWorkspace(which, by, core),
})
