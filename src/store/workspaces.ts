// Owns the allow-list of project directories.
import { HoldfastError } from '../domain/errors.ts'
import type { Workspace } from '../domain/task.ts'
import { ENDED } from '../domain/task-machine.ts'
import type { Store } from '../ports/store.ts'
import { type Holding, read, type Tx, write } from './holding.ts'

export const workspaces = (
  holding: Holding,
): Pick<Store, 'addWorkspace' | 'workspaces' | 'removeWorkspace'> => ({
  addWorkspace: (workspace) => write(holding, (tx) => insertWorkspace(tx, workspace)),

  workspaces: () => read(holding, (db) => db.selectFrom('workspaces').selectAll().orderBy('slug').execute()),

  removeWorkspace: (id) =>
    write(holding, async (tx) => {
      const inUse = await tx
        .selectFrom('tasks')
        .select('id')
        .where('workspaceId', '=', id)
        .where('status', 'not in', ENDED)
        .limit(1)
        .executeTakeFirst()
      if (inUse) throw new HoldfastError('WORKSPACE_IN_USE', `Task ${inUse.id} still works there.`)
      const { numDeletedRows } = await tx
        .deleteFrom('workspaces')
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
      return numDeletedRows > 0n
    }),
})

async function insertWorkspace(tx: Tx, workspace: Workspace): Promise<Workspace> {
  for (let number = 1; ; number++) {
    const slug = number === 1 ? workspace.slug : `${workspace.slug}-${number}`
    const added = await tx
      .insertInto('workspaces')
      .values({ ...workspace, slug })
      .onConflict((conflict) => conflict.doNothing())
      .returningAll()
      .executeTakeFirst()
    const known = added ?? (await sameAs(tx, workspace))
    if (known) return known
  }
}

const sameAs = (tx: Tx, { id, path }: Workspace) =>
  tx
    .selectFrom('workspaces')
    .selectAll()
    .where((eb) => eb.or([eb('path', '=', path), eb('id', '=', id)]))
    .executeTakeFirst()
