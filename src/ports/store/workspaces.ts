// Owns how workspaces are written and read.

import type { Workspace } from '../../domain/task/workspace.ts'

export interface WorkspaceReads {
  workspaces(): Promise<Workspace[]>
}
