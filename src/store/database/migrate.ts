// Owns bringing a store's tables up to this version: in order, all migrations or none.
import { sql } from 'kysely'
import { HoldfastError } from '../../domain/errors.ts'
import type { Backend, Database } from './backends.ts'
import type { Tx } from './holding.ts'
import { tasks } from './migrations/0001-tasks.ts'
import { inputs } from './migrations/0002-inputs.ts'
import { recovery } from './migrations/0003-recovery.ts'
import { retention } from './migrations/0004-retention.ts'
import { fillTitles, names } from './migrations/0005-names.ts'
import { pages } from './migrations/0006-pages.ts'
import { canaries } from './migrations/0007-canaries.ts'
import { journal } from './migrations/0008-journal.ts'
import { orders } from './migrations/0009-orders.ts'
import { states } from './migrations/0010-states.ts'
import { triggers } from './migrations/0011-triggers.ts'
import { threads } from './migrations/0012-threads.ts'
import { runtimes } from './migrations/0013-runtimes.ts'
import { taskKeys } from './migrations/0014-task-keys.ts'
import { heartbeats } from './migrations/0015-heartbeats.ts'
import { notices } from './migrations/0016-notices.ts'
import { children } from './migrations/0017-children.ts'
import { receipts } from './migrations/0018-receipts.ts'
import { requestKeys } from './migrations/0019-request-keys.ts'
import { noticesOfNodes } from './migrations/0020-notices-of-nodes.ts'
import { ends } from './migrations/0021-ends.ts'
import { causes } from './migrations/0022-causes.ts'
import { readersOfNodes } from './migrations/0023-readers-of-nodes.ts'
import { nodeSigns } from './migrations/0024-node-signs.ts'

type Migration = {
  readonly name: string
  readonly statements: (backend: Backend) => readonly string[]
  /** For what SQL cannot compute from the rows that are there; after the statements. */
  readonly fill?: (tx: Tx, backend: Backend) => Promise<void>
}

/** Only append here: a store remembers by number which migrations it has had. */
const migrations: readonly Migration[] = [
  { name: 'tasks', statements: tasks },
  { name: 'inputs', statements: inputs },
  { name: 'recovery', statements: recovery },
  { name: 'retention', statements: retention },
  { name: 'names', statements: names, fill: fillTitles },
  { name: 'pages', statements: pages },
  { name: 'canaries', statements: canaries },
  { name: 'journal', statements: journal },
  { name: 'orders', statements: orders },
  { name: 'states', statements: states },
  { name: 'triggers', statements: triggers },
  { name: 'threads', statements: threads },
  { name: 'runtimes', statements: runtimes },
  { name: 'task keys', statements: taskKeys },
  { name: 'heartbeats', statements: heartbeats },
  { name: 'notices', statements: notices },
  { name: 'children', statements: children },
  { name: 'receipts', statements: receipts },
  { name: 'request keys', statements: requestKeys },
  { name: 'notices of nodes', statements: noticesOfNodes },
  { name: 'ends', statements: ends },
  { name: 'causes', statements: causes },
  { name: 'readers of nodes', statements: readersOfNodes },
  { name: 'node signs', statements: nodeSigns },
]

export async function migrate({ db, backend }: Database, now: number): Promise<void> {
  await db.transaction().execute(async (tx) => {
    if (backend.lockSchema !== null) await sql.raw(backend.lockSchema).execute(tx)
    await sql.raw(migrationsTable(backend)).execute(tx)
    const rows = await tx.selectFrom('migrations').select('number').orderBy('number').execute()
    const applied = rows.at(-1)?.number ?? 0
    if (applied > migrations.length)
      throw new HoldfastError(
        'STORE_NEWER',
        `The store is at version ${applied}; this Holdfast only knows versions up to ${migrations.length}.`,
      )
    for (const [index, { name, statements, fill }] of migrations.entries()) {
      const number = index + 1
      if (number <= applied) continue
      for (const statement of statements(backend)) await sql.raw(statement).execute(tx)
      await fill?.(tx, backend)
      await tx.insertInto('migrations').values({ number, name, appliedAt: now }).execute()
    }
  })
}

const migrationsTable = ({ int, text, tableEnd }: Backend) => `
  create table if not exists migrations (
    number ${int} not null primary key, name ${text} not null, applied_at ${int} not null
  ) ${tableEnd}`
