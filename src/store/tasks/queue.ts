// Owns reading the tasks that wait: for a slot, in the order of their launch, or for a time.
import { sql } from 'kysely'
import { isTimed } from '../../domain/task/state.ts'
import type { Store } from '../../ports/store/store.ts'
import { type Holding, read } from '../database/holding.ts'
import { plain } from '../database/plain-sql.ts'
import { readSummaries } from './summaries.ts'

export const queue = (
  holding: Holding,
): Pick<Store, 'queue' | 'hasQueuedChild' | 'queuedRuntimes' | 'queuePosition' | 'waiting'> => ({
  queue: async (most) => {
    const pending = await readSummaries(
      holding,
      plain`node_id = ${holding.nodeId} and status = 'pending' and runtime is null
        order by priority desc, (started_at is null), created_at, id limit ${most}`,
    )
    return pending.filter((task) => task.phase === 'queued')
  },

  hasQueuedChild: async (parents) => {
    if (parents.length === 0) return false
    const found = await read(holding, (db) =>
      db
        .selectFrom('tasks')
        .select('id')
        .where('parentId', 'in', parents)
        .where('nodeId', '=', holding.nodeId)
        .where('status', '=', 'pending')
        .where('runtime', 'is', null)
        .executeTakeFirst(),
    )
    return found !== undefined
  },

  queuedRuntimes: async () => {
    const pending = await readSummaries(
      holding,
      plain`runtime > '' and node_id = ${holding.nodeId} and status = 'pending' order by created_at, id`,
    )
    return pending.filter((task) => task.phase === 'queued')
  },

  queuePosition: (id) =>
    read(holding, async (db) => {
      const place = await db
        .selectFrom('tasks')
        .select(['priority', 'startedAt', 'createdAt'])
        .where('id', '=', id)
        .where('nodeId', '=', holding.nodeId)
        .where('status', '=', 'pending')
        .where('runtime', 'is', null)
        .executeTakeFirst()
      if (place === undefined) return null
      const { priority, startedAt, createdAt } = place
      const { ahead } = await db
        .selectFrom('tasks')
        .select((eb) => eb.fn.countAll<number>().as('ahead'))
        .where('nodeId', '=', holding.nodeId)
        .where('status', '=', 'pending')
        .where('runtime', 'is', null)
        .where((eb) => {
          const isFresh = eb('startedAt', 'is', null)
          const sameBeginning = startedAt === null ? isFresh : eb('startedAt', 'is not', null)
          const older = sql<boolean>`(${sql.ref('createdAt')}, ${sql.ref('id')}) < (${createdAt}, ${id})`
          const before = startedAt === null ? eb.or([eb.not(isFresh), older]) : eb.and([sameBeginning, older])
          return eb.or([eb('priority', '>', priority), eb.and([eb('priority', '=', priority), before])])
        })
        .executeTakeFirstOrThrow()
      return ahead + 1
    }),

  waiting: async () => {
    const waiting = await readSummaries(
      holding,
      plain`node_id = ${holding.nodeId} and phase in ('backing_off', 'parked')
        order by phase_until, priority desc, created_at, id`,
    )
    return waiting.filter(isTimed)
  },
})
