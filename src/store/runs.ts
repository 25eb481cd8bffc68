// Owns reading runs and transitions, and counting how often a daemon died while it handled a run.
import type { Selectable } from 'kysely'
import type { RunId } from '../domain/names/ids.ts'
import { isOver, RUN_STATES } from '../domain/run/machine.ts'
import type { Run } from '../domain/task/run.ts'
import type { Change } from '../ports/store/commits.ts'
import type { Store } from '../ports/store/store.ts'
import { type Holding, read, type Writing } from './database/holding.ts'
import type { RunTable } from './database/schema.ts'

const OPEN = RUN_STATES.filter((state) => !isOver(state))

export const runs = (
  holding: Holding,
): Pick<Store, 'run' | 'runsOf' | 'lastRuns' | 'openRuns' | 'endedRuns' | 'transitions'> => ({
  run: (id) =>
    read(holding, async (db) => {
      const row = await db.selectFrom('runs').selectAll().where('id', '=', id).executeTakeFirst()
      return row && runOf(row)
    }),

  runsOf: (taskId) =>
    read(holding, async (db) => {
      const rows = await db
        .selectFrom('runs')
        .selectAll()
        .where('taskId', '=', taskId)
        .orderBy('number')
        .execute()
      return rows.map(runOf)
    }),

  lastRuns: (taskId, most) =>
    read(holding, async (db) => {
      const rows = await db
        .selectFrom('runs')
        .selectAll()
        .where('taskId', '=', taskId)
        .orderBy('number', 'desc')
        .limit(most)
        .execute()
      return rows.map(runOf).reverse()
    }),

  openRuns: () =>
    read(holding, async (db) => {
      const rows = await db
        .selectFrom('runs')
        .selectAll()
        .where('nodeId', '=', holding.nodeId)
        .where('state', 'in', OPEN)
        .orderBy('createdAt')
        .orderBy('id')
        .execute()
      return rows.map(runOf)
    }),

  endedRuns: (since, account) =>
    read(holding, async (db) => {
      const rows = await db
        .selectFrom('runs')
        .selectAll()
        .where('nodeId', '=', holding.nodeId)
        .where('endedAt', '>=', since)
        .$if(account !== null, (all) =>
          all.where('taskId', 'in', (from) =>
            from.selectFrom('tasks').select('tasks.id').where('account', '=', account),
          ),
        )
        .orderBy('endedAt', 'desc')
        .orderBy('id')
        .execute()
      return rows.map(runOf)
    }),

  transitions: (taskId) =>
    read(holding, async (db) => {
      const rows = await db
        .selectFrom('taskTransitions')
        .selectAll()
        .where('taskId', '=', taskId)
        .orderBy('number')
        .execute()
      return rows.map(({ fromStatus, toStatus, evidence, ...row }) => ({
        ...row,
        from: fromStatus,
        to: toStatus,
        evidence: JSON.parse(evidence),
      }))
    }),
})

export async function countDaemonDeath(
  { tx, nodeId, tasks }: Writing,
  runIds: readonly RunId[],
): Promise<void> {
  if (runIds.length === 0) return
  const runs = await tx
    .updateTable('runs')
    .set((eb) => ({ daemonDeaths: eb('daemonDeaths', '+', 1) }))
    .where('id', 'in', runIds)
    .where('nodeId', '=', nodeId)
    .returning('taskId')
    .execute()
  for (const { taskId } of runs) tasks.add(taskId)
}

export async function forgiveDaemonDeaths({ tx, nodeId, tasks }: Writing, runId: RunId): Promise<void> {
  const run = await tx
    .updateTable('runs')
    .set({ daemonDeaths: 0 })
    .where('id', '=', runId)
    .where('nodeId', '=', nodeId)
    .returning('taskId')
    .executeTakeFirst()
  if (run !== undefined) tasks.add(run.taskId)
}

export async function noteHeartbeat(
  { tx, nodeId, tasks }: Writing,
  { runId, status, at }: NonNullable<Change['heartbeat']>,
): Promise<void> {
  const run = await tx
    .updateTable('runs')
    .set({ heartbeatAt: at, heartbeatStatus: status })
    .where('id', '=', runId)
    .where('nodeId', '=', nodeId)
    .returning('taskId')
    .executeTakeFirst()
  if (run === undefined) return
  tasks.add(run.taskId)
  await tx
    .updateTable('runtimes')
    .set({ lastHeartbeatAt: at, lastHeartbeatStatus: status })
    .where('taskId', '=', run.taskId)
    .where('nodeId', '=', nodeId)
    .execute()
}

function runOf({ nodeId: _, result, steps, ...row }: Selectable<RunTable>): Run {
  return { ...row, result: result === null ? null : JSON.parse(result), steps: JSON.parse(steps) }
}
