// Owns opening the store: tables brought up to date, a new epoch taken, and the parts put together.
import type { Clock } from '../ports/clock.ts'
import type { Store } from '../ports/store/store.ts'
import { audit } from './audit.ts'
import { committing } from './commit.ts'
import { backendOf, closeDatabase, type DatabasePlace, openDatabase } from './database/backends.ts'
import { EVENT_SEQ } from './database/counter-names.ts'
import { type Holding, type NodeFacts, type Tx, takeEpoch, writeSoon } from './database/holding.ts'
import { migrate } from './database/migrate.ts'
import { withStoreErrors } from './database/store-error.ts'
import { gates } from './gates.ts'
import { inputs } from './inputs.ts'
import { counters } from './journal/counters.ts'
import { journal } from './journal/read-journal.ts'
import { subscribers } from './journal/subscribers.ts'
import { nodes, writeSign } from './nodes.ts'
import { noticeCounts } from './notices/count-notices.ts'
import { notices } from './notices/read-notices.ts'
import { orderRows } from './order-rows.ts'
import { questions } from './questions.ts'
import { requestKeys } from './request-keys.ts'
import { retention } from './retention.ts'
import { runs } from './runs.ts'
import { runtimes } from './runtimes.ts'
import { taskPages } from './tasks/pages.ts'
import { queue } from './tasks/queue.ts'
import { tasks } from './tasks/tasks.ts'
import { outbox } from './threads/outbox.ts'
import { threads } from './threads/read-threads.ts'
import { triggers } from './triggers.ts'
import { workspaces } from './workspaces.ts'

export type StoreOptions = DatabasePlace & { readonly node: NodeFacts; readonly clock: Pick<Clock, 'now'> }

/** The place is the path of a file for SQLite, or a postgres:// url. */
export const openStore = ({ node, clock, ...place }: StoreOptions): Promise<Store> =>
  withStoreErrors(backendOf(place), async () => {
    const database = openDatabase(place)
    try {
      await migrate(database, clock.now())
      const epoch = await takeEpoch(database, node, clock.now())
      await writeSign(database.db, database.backend, node.id)
      await database.disk.wait()
      return storeOver({ ...database, nodeId: node.id, epoch, now: () => clock.now() })
    } catch (error) {
      await closeDatabase(database)
      throw error
    }
  })

export const storeOver = (holding: Holding): Store => ({
  nodeId: holding.nodeId,
  epoch: holding.epoch,
  ...tasks(holding),
  ...taskPages(holding),
  ...queue(holding),
  ...committing(holding),
  ...inputs(holding),
  ...triggers(holding),
  ...questions(holding),
  ...runs(holding),
  ...runtimes(holding),
  ...gates(holding),
  ...nodes(holding),
  ...orderRows(holding),
  ...requestKeys(holding),
  ...counters(holding),
  ...journal(holding),
  ...subscribers(holding),
  ...threads(holding),
  ...outbox(holding),
  ...notices(holding),
  ...noticeCounts(holding),
  ...audit(holding),
  ...retention(holding),
  ...workspaces(holding),
  checkWrites: () => writeSoon(holding, (tx) => writeNothingNew(tx, holding)),
  close: () => closeDatabase(holding),
})

/** Beginning a transaction is not enough: a full disk shows only when something is written. */
async function writeNothingNew(tx: Tx, { nodeId }: Holding): Promise<void> {
  await tx
    .updateTable('counters')
    .set((eb) => ({ value: eb.ref('value') }))
    .where('nodeId', '=', nodeId)
    .where('name', '=', EVENT_SEQ)
    .execute()
}
