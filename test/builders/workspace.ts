import { asWorkspaceId } from '../../src/domain/names/ids.ts'
import type { Workspace } from '../../src/domain/task/workspace.ts'
import { NOON } from './ids.ts'

export const aWorkspace = (id: string, slug: string, path: string): Workspace => ({
  id: asWorkspaceId(id),
  slug,
  path,
  addedAt: NOON,
  addedBy: 'person',
})
