// Owns the allow-list of project directories.
import { HoldfastError } from '../domain/errors.ts'
import type { WorkspaceId } from '../domain/names/ids.ts'
import { ENDED } from '../domain/task/machine.ts'
import type { Workspace } from '../domain/task/workspace.ts'
import type { Store } from '../ports/store/store.ts'
import { type Holding, read, type Tx, type Writing } from './database/holding.ts'

export const workspaces = (holding: Holding): Pick<Store, 'workspaces'> => ({
  workspaces: () => read(holding, (db) => db.selectFrom('workspaces').selectAll().orderBy('slug').execute()),
})

export async function addWorkspace({ tx }: Writing, workspace: Workspace): Promise<void> {
  for (let number = 1; ; number++) {
    const slug = number === 1 ? workspace.slug : `${workspace.slug}-${number}`
    const { numInsertedOrUpdatedRows } = await tx
      .insertInto('workspaces')
      .values({ ...workspace, slug })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirstOrThrow()
    if (numInsertedOrUpdatedRows !== 0n || (await sameAs(tx, workspace)) !== undefined) return
  }
}

export async function dropWorkspace({ tx }: Writing, id: WorkspaceId): Promise<void> {
  const inUse = await tx
    .selectFrom('tasks')
    .select('id')
    .where('workspaceId', '=', id)
    .where('status', 'not in', ENDED)
    .limit(1)
    .executeTakeFirst()
  if (inUse) throw new HoldfastError('WORKSPACE_IN_USE', `Task ${inUse.id} still works there.`)
  const stands = await tx
    .selectFrom('runtimes')
    .select('agentId')
    .where('workspaceId', '=', id)
    .limit(1)
    .executeTakeFirst()
  if (stands) throw new HoldfastError('WORKSPACE_IN_USE', `Runtime ${stands.agentId} has its place there.`)
  await tx.deleteFrom('workspaces').where('id', '=', id).execute()
}

const sameAs = (tx: Tx, { id, path }: Workspace) =>
  tx
    .selectFrom('workspaces')
    .selectAll()
    .where((eb) => eb.or([eb('path', '=', path), eb('id', '=', id)]))
    .executeTakeFirst()
