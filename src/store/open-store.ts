// Owns opening the store: tables brought up to date, a new epoch taken, and the parts put together.
import type { Clock } from '../ports/clock.ts'
import type { Store } from '../ports/store.ts'
import { audit } from './audit.ts'
import { backendOf, closeDatabase, type DatabasePlace, openDatabase } from './backends.ts'
import { counters } from './counters.ts'
import { cursors } from './cursors.ts'
import { events } from './events.ts'
import { gates } from './gates.ts'
import { type Holding, type NodeFacts, takeEpoch } from './holding.ts'
import { inputs } from './inputs.ts'
import { migrate } from './migrate.ts'
import { orders } from './orders.ts'
import { questions } from './questions.ts'
import { readings } from './readings.ts'
import { recording } from './record.ts'
import { retention } from './retention.ts'
import { runs } from './runs.ts'
import { guarded } from './store-error.ts'
import { tasks } from './tasks.ts'
import { workspaces } from './workspaces.ts'

export type StoreOptions = DatabasePlace & { readonly node: NodeFacts; readonly clock: Pick<Clock, 'now'> }

/** A file's path for SQLite, or a postgres:// url. */
export const openStore = ({ node, clock, ...place }: StoreOptions): Promise<Store> =>
  guarded(backendOf(place), async () => {
    const database = openDatabase(place)
    try {
      await migrate(database, clock.now())
      const epoch = await takeEpoch(database, node, clock.now())
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
  ...recording(holding),
  ...orders(holding),
  ...readings(holding),
  ...inputs(holding),
  ...questions(holding),
  ...runs(holding),
  ...gates(holding),
  ...counters(holding),
  ...events(holding),
  ...cursors(holding),
  ...audit(holding),
  ...retention(holding),
  ...workspaces(holding),
  close: () => closeDatabase(holding),
})
