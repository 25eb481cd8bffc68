import { sqlite as backend, kyselyOver } from '../src/store/database/backends.ts'
import { syncedAlready } from '../src/store/database/group-sync.ts'
import { sqliteDialect } from '../src/store/database/sqlite-dialect.ts'
import { openSqlite } from '../src/store/database/sqlite-library.ts'
import { storeOver } from '../src/store/open-store.ts'
import { startDaemon } from './lib/daemon.ts'
import { makeHome } from './lib/home.ts'
import { insertTasks } from './lib/many-tasks.ts'
import { limitRow, report } from './lib/report.ts'
import { interleaved, timed } from './lib/samples.ts'

const TASKS = 1_000_000
const ROUNDS = 100

const home = makeHome()
await insertTasks(home, TASKS)
const daemon = await startDaemon(home)
const stats = () => daemon.ask<{ total: number }>('GET', '/api/tasks/stats')
const { total } = await stats()
if (total !== TASKS) throw new Error(`the counters say ${total} tasks`)

// A reader beside the daemon: it takes no epoch, so the daemon goes on.
const sqlite = openSqlite(home.paths.database)
const db = kyselyOver(sqliteDialect(sqlite))
const store = storeOver({ db, backend, disk: syncedAlready, nodeId: home.nodeId, epoch: 0, now: Date.now })
const one = sqlite.prepare('SELECT 1')
const byStatus = sqlite.prepare('SELECT status, count(*) FROM tasks GROUP BY status')

const took = await interleaved(ROUNDS, {
  floor: () => timed(() => one.all()),
  counters: () => timed(() => store.counts()),
  stats: () => timed(stats),
})
const { counting } = await interleaved(3, { counting: () => timed(() => byStatus.all()) })
await store.close()
report(
  `How long do stats over ${TASKS.toLocaleString('en')} tasks take? (SQLite, ${ROUNDS} rounds; floor: \`SELECT 1\`)`,
  [
    limitRow('`GET /api/tasks/stats`', took.floor, took.stats, { share: 0.5, ms: 5 }),
    limitRow('… the store alone, from counters', took.floor, took.counters),
    limitRow('for comparison: counting the rows by status', took.floor, counting),
  ],
)
process.exit(0)
