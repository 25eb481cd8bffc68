// Owns reading tasks.
import { type Kysely, type Selectable, type SelectQueryBuilder, sql } from 'kysely'
import type { TaskId } from '../domain/ids.ts'
import {
  PRIORITIES,
  type Priority,
  type StopOrder,
  type Task,
  type TaskRow,
  type TaskSummary,
} from '../domain/task.ts'
import { ENDED } from '../domain/task-machine.ts'
import type { Store, TaskFilter } from '../ports/store.ts'
import { type Holding, read } from './holding.ts'
import type { Tables, TaskTable } from './schema.ts'

/** Everything but the snapshot, which can be large. */
export const SUMMARY = [
  'id',
  'nodeId',
  'status',
  'phase',
  'phaseUntil',
  'agent',
  'role',
  'model',
  'mode',
  'workspaceId',
  'project',
  'dir',
  'priority',
  'tags',
  'meta',
  'parentId',
  'createdBy',
  'createdAt',
  'startedAt',
  'endedAt',
  'maxDurationMs',
  'workedMs',
  'exitCode',
  'exitSignal',
  'reason',
  'runId',
  'sessionId',
  'tokensIn',
  'tokensOut',
  'costUsd',
  'sessionUsage',
  'stop',
  'hookViolations',
  'retries',
  'goOn',
  'restart',
  'account',
  'gate',
  'archivedAt',
  'verification',
] as const satisfies readonly (keyof TaskSummary)[]

const ROW = [
  'id',
  'agent',
  'role',
  'status',
  'phase',
  'createdAt',
  'startedAt',
  'endedAt',
  'stop',
] as const satisfies readonly (keyof TaskRow)[]
type ValuesOf<Names extends readonly (keyof TaskTable)[]> = { [N in keyof Names]: TaskTable[Names[N]] }
type RowValues = ValuesOf<typeof ROW>

type Reads = 'task' | 'tasks' | 'rows' | 'taskIdsLike' | 'queue' | 'waiting' | 'untidied'

export const tasks = (holding: Holding): Pick<Store, Reads> => ({
  task: (id) => read(holding, (db) => readTask(db, id)),

  tasks: (filter = {}) =>
    read(holding, async (db) => {
      if (filter.statuses?.length === 0) return []
      return (await listQuery(db, filter).select(SUMMARY).execute()).map(summaryOf)
    }),

  rows: (filter = {}) =>
    read(holding, async (db) => {
      if (filter.statuses?.length === 0) return []
      return (await rowValues(holding, listQuery(db, filter).select(ROW))).map(rowOf)
    }),

  taskIdsLike: (prefix, most) =>
    read(holding, async (db) => {
      const rows = await db
        .selectFrom('tasks')
        .select('id')
        .where('id', '>=', prefix as TaskId)
        .where('id', '<', `${prefix}\u{10ffff}` as TaskId)
        .orderBy('id')
        .limit(most)
        .execute()
      return rows.map(({ id }) => id)
    }),

  queue: (most) =>
    read(holding, async (db) => {
      const rows = await db
        .selectFrom('tasks')
        .select(SUMMARY)
        .where('nodeId', '=', holding.nodeId)
        .where('status', '=', 'pending')
        .orderBy('priority', 'desc')
        .orderBy((eb) => eb('startedAt', 'is', null))
        .orderBy('createdAt')
        .orderBy('id')
        .limit(most)
        .execute()
      return rows.map(summaryOf)
    }),

  waiting: () =>
    read(holding, async (db) => {
      const rows = await db
        .selectFrom('tasks')
        .select(SUMMARY)
        .where('nodeId', '=', holding.nodeId)
        .where('phase', 'in', ['backing_off', 'parked'])
        .orderBy('phaseUntil')
        .orderBy('priority', 'desc')
        .orderBy('createdAt')
        .orderBy('id')
        .execute()
      return rows.map(summaryOf)
    }),

  untidied: () =>
    read(holding, async (db) => {
      const rows = await db
        .selectFrom('tasks')
        .select('id')
        .where('nodeId', '=', holding.nodeId)
        .where('tidied', '=', 0)
        .where('status', 'in', ENDED)
        .orderBy('id')
        .execute()
      return rows.map(({ id }) => id)
    }),
})

export async function readTask(db: Kysely<Tables>, id: TaskId): Promise<Task | undefined> {
  const row = await db
    .selectFrom('tasks')
    .select([...SUMMARY, 'snapshot'])
    .where('id', '=', id)
    .executeTakeFirst()
  return row && { ...summaryOf(row), snapshot: JSON.parse(row.snapshot) }
}

const listQuery = (db: Kysely<Tables>, { statuses, tag, project, archived, limit }: TaskFilter) =>
  db
    .selectFrom('tasks')
    .where('archivedAt', archived ? 'is not' : 'is', null)
    .$if(statuses !== undefined, (query) => query.where('status', 'in', statuses!))
    .$if(project !== undefined, (query) => query.where('project', '=', project!))
    .$if(tag !== undefined, (query) =>
      query.where('id', 'in', (from) => from.selectFrom('taskTags').select('taskId').where('tag', '=', tag!)),
    )
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .$if(limit !== undefined, (query) => query.limit(limit!))

/** As one JSON text made by the database: thousands of rows come several times faster than one by one. */
async function rowValues({ db, backend }: Holding, query: RowQuery): Promise<RowValues[]> {
  const { row, rows } = backend.jsonArrays
  const values = ROW.map((name) => (name === 'stop' ? sql`cast(${sql.ref(name)} as text)` : sql.ref(name)))
  const { json } = await db
    .selectFrom(query.as('listed'))
    .select(sql<string | null>`${sql.raw(rows)}(${sql.raw(row)}(${sql.join(values)}))`.as('json'))
    .executeTakeFirstOrThrow()
  return JSON.parse(json ?? '[]')
}
type RowQuery = SelectQueryBuilder<Tables, 'tasks', Pick<Selectable<TaskTable>, (typeof ROW)[number]>>

const rowOf = ([
  id,
  agent,
  role,
  status,
  phase,
  createdAt,
  startedAt,
  endedAt,
  stop,
]: RowValues): TaskRow => ({
  id,
  agent,
  role,
  status,
  phase,
  createdAt,
  startedAt,
  endedAt,
  stop: stopOf(stop),
})

export function summaryOf(row: Pick<Selectable<TaskTable>, (typeof SUMMARY)[number]>): TaskSummary {
  return {
    ...row,
    priority: priorityOf(row.priority),
    tags: JSON.parse(row.tags),
    meta: JSON.parse(row.meta),
    stop: stopOf(row.stop),
    hookViolations: JSON.parse(row.hookViolations),
    goOn: jsonOf(row.goOn),
    restart: jsonOf(row.restart),
    verification: jsonOf(row.verification),
    sessionUsage: jsonOf(row.sessionUsage),
  }
}

const names = new Map(Object.entries(PRIORITIES).map(([name, rank]) => [rank as number, name as Priority]))
const priorityOf = (rank: number) => names.get(rank) ?? 'normal'

const jsonOf = <T>(json: string | null): T | null => (json === null ? null : JSON.parse(json))
const stopOf = (json: string | null) => jsonOf<StopOrder>(json)
