// Owns the orders that are kept on a task until they are carried out.
import type { RestartOrder } from '../domain/go-on.ts'
import type { TaskId } from '../domain/ids.ts'
import type { StopOrder } from '../domain/task.ts'
import { ENDED } from '../domain/task-machine.ts'
import type { Store } from '../ports/store.ts'
import type { AuditEntry } from '../ports/store-changes.ts'
import { writeAudit } from './audit.ts'
import { writeEvent } from './events.ts'
import { type Holding, type Tx, write } from './holding.ts'
import { checkExists } from './lock-task.ts'

export const orders = (holding: Holding): Pick<Store, 'orderStop' | 'orderRestart'> => ({
  orderStop: (id, order, audit) =>
    write(holding, (tx) => place(tx, holding, { id, name: 'stop', order, audit })),

  orderRestart: (id, order, audit) =>
    write(holding, (tx) => place(tx, holding, { id, name: 'restart', order, audit })),
})

type Order = {
  readonly id: TaskId
  readonly audit: AuditEntry
} & (
  | { readonly name: 'stop'; readonly order: StopOrder }
  | { readonly name: 'restart'; readonly order: RestartOrder }
)

/** After a stop nothing is ordered any more. */
async function place(tx: Tx, holding: Holding, { id, name, order, audit }: Order): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('tasks')
    .set({ [name]: JSON.stringify(order) })
    .where('id', '=', id)
    .where(name, 'is', null)
    .where('stop', 'is', null)
    .where('status', 'not in', ENDED)
    .executeTakeFirstOrThrow()
  if (numUpdatedRows === 0n) {
    await checkExists(tx, id)
    return false
  }
  const { kind, by, reason, at } = order
  await writeEvent(tx, holding, { at, kind: `${name}_ordered`, taskId: id, data: { kind, by, reason } })
  await writeAudit(tx, audit)
  return true
}
