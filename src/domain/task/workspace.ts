import type { WorkspaceId } from '../names/ids.ts'

/** A directory in which agents may work. */
export type Workspace = {
  readonly id: WorkspaceId
  readonly slug: string
  readonly path: string
  readonly addedAt: number
  readonly addedBy: string
}
