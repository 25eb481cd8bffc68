// Owns reading tasks.
import { type ExpressionBuilder, type Kysely, type Selectable, sql } from 'kysely'
import type { TaskId } from '../../domain/names/ids.ts'
import { ENDED, isEnded, TASK_STATUSES } from '../../domain/task/machine.ts'
import { type StoredState, stateOf, type TaskState } from '../../domain/task/state.ts'
import type { WantedState } from '../../domain/task/status-view.ts'
import {
  PRIORITIES,
  type Priority,
  type StopOrder,
  type Task,
  type TaskFacts,
  type TaskRow,
  type TaskSummary,
} from '../../domain/task/task.ts'
import type { Store, TaskFilter } from '../../ports/store.ts'
import { type Holding, read } from '../database/holding.ts'
import type { Tables, TaskTable } from '../database/schema.ts'
import { whenGiven } from '../database/when-given.ts'

/** Everything but the snapshot, which can be large. */
export const SUMMARY = [
  'id',
  'name',
  'title',
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
  'waitsFor',
  'question',
  'archivedAt',
  'verification',
  'runtime',
] as const satisfies readonly (keyof TaskFacts | keyof StoredState)[]

export const ROW = [
  'id',
  'name',
  'title',
  'agent',
  'role',
  'parentId',
  'status',
  'phase',
  'phaseUntil',
  'goOn',
  'gate',
  'waitsFor',
  'question',
  'account',
  'createdAt',
  'startedAt',
  'endedAt',
  'stop',
] as const satisfies readonly (keyof TaskRow | keyof StoredState)[]
type ValuesOf<Names extends readonly (keyof TaskTable)[]> = { [N in keyof Names]: TaskTable[Names[N]] }
export type RowValues = ValuesOf<typeof ROW>

type Reads =
  | 'task'
  | 'tasks'
  | 'newestTask'
  | 'taskIdsLike'
  | 'taskIdsWith'
  | 'tasksNamed'
  | 'taskWithKey'
  | 'untidied'
  | 'livingChildren'
  | 'untoldChildren'

export const tasks = (holding: Holding): Pick<Store, Reads> => ({
  task: (id) => read(holding, (db) => readTask(db, id)),

  tasks: (filter = {}) =>
    read(holding, async (db) => {
      if (filter.statuses?.length === 0) return []
      return (await listQuery(db, filter).select(SUMMARY).execute()).map(summaryOf)
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

  taskIdsWith: (part, most) =>
    read(holding, async (db) => {
      const rows = await db
        .selectFrom('tasks')
        .select('id')
        // Both databases have `replace`, and unlike `like` it treats no character as a pattern.
        .where(sql<boolean>`replace(${sql.ref('id')}, ${part}, '') <> ${sql.ref('id')}`)
        .orderBy('id', 'desc')
        .limit(most)
        .execute()
      return rows.map(({ id }) => id)
    }),

  taskWithKey: (createdBy, key) =>
    read(holding, (db) =>
      db
        .selectFrom('taskKeys')
        .selectAll()
        .where('createdBy', '=', createdBy)
        .where('key', '=', key)
        .executeTakeFirst(),
    ),

  tasksNamed: (name, most) =>
    read(holding, (db) =>
      db
        .selectFrom('tasks')
        .select(['id', 'status'])
        .where('name', '=', name)
        .orderBy((eb) => eb('endedAt', 'is not', null))
        .orderBy('createdAt', 'desc')
        .orderBy('id', 'desc')
        .limit(most)
        .execute(),
    ),

  newestTask: () =>
    read(holding, async (db) => {
      const newest = db.selectFrom('tasks').select('id').where('archivedAt', 'is', null)
      const row = await newest.orderBy('createdAt', 'desc').orderBy('id', 'desc').limit(1).executeTakeFirst()
      return row?.id
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

  livingChildren: (parentId) => read(holding, (db) => livingChildren(db, parentId)),

  untoldChildren: (parentId) =>
    read(holding, async (db) => {
      const untold = await db
        .selectFrom('outbox')
        .select('childId')
        .where('parentId', '=', parentId)
        .where('boundTrigger', 'is', null)
        .execute()
      return [...new Set([...(await livingChildren(db, parentId)), ...untold.map(({ childId }) => childId)])]
    }),
})

async function livingChildren(db: Kysely<Tables>, parentId: TaskId): Promise<TaskId[]> {
  const rows = await db
    .selectFrom('tasks')
    .select('id')
    .where('status', 'in', LIVING)
    .where('archivedAt', 'is', null)
    .where('parentId', '=', parentId)
    .execute()
  return rows.map(({ id }) => id)
}

const LIVING = TASK_STATUSES.filter((status) => !isEnded(status))

async function readTask(db: Kysely<Tables>, id: TaskId): Promise<Task | undefined> {
  const row = await db
    .selectFrom('tasks')
    .select([...SUMMARY, 'snapshot'])
    .where('id', '=', id)
    .executeTakeFirst()
  return row && { ...summaryOf(row), snapshot: JSON.parse(row.snapshot) }
}

const listQuery = (db: Kysely<Tables>, { statuses, states, tag, project, archived, limit }: TaskFilter) =>
  db
    .selectFrom('tasks')
    .where('archivedAt', archived ? 'is not' : 'is', null)
    .$call(whenGiven(statuses, (query, some) => query.where('status', 'in', some)))
    .$call(
      whenGiven(states, (query, some) => query.where((eb) => eb.or(some.map((state) => isIn(state, eb))))),
    )
    .$call(whenGiven(project, (query, name) => query.where('project', '=', name)))
    .$call(
      whenGiven(tag, (query, name) =>
        query.where('id', 'in', (from) =>
          from.selectFrom('taskTags').select('taskId').where('tag', '=', name),
        ),
      ),
    )
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .$call(whenGiven(limit, (query, most) => query.limit(most)))

const isIn = ({ status, phase, hasStarted }: WantedState, eb: ExpressionBuilder<Tables, 'tasks'>) =>
  eb.and([
    eb('status', '=', status),
    ...(phase === undefined ? [] : [eb('phase', '=', phase)]),
    ...(hasStarted === undefined ? [] : [eb('startedAt', hasStarted ? 'is not' : 'is', null)]),
  ])

export const rowOf = ([
  id,
  name,
  title,
  agent,
  role,
  parentId,
  status,
  phase,
  phaseUntil,
  goOn,
  gate,
  waitsFor,
  question,
  account,
  createdAt,
  startedAt,
  endedAt,
  stop,
]: RowValues): TaskRow => ({
  ...readState({ status, phase, phaseUntil, goOn, gate, waitsFor, question }),
  id,
  name,
  title,
  agent,
  role,
  parentId,
  account,
  createdAt,
  startedAt,
  endedAt,
  stop: stopOf(stop),
})

export function summaryOf(row: Pick<Selectable<TaskTable>, (typeof SUMMARY)[number]>): TaskSummary {
  const { status, phase, phaseUntil, goOn, gate, waitsFor, question, ...facts } = row
  return {
    ...facts,
    ...readState({ status, phase, phaseUntil, goOn, gate, waitsFor, question }),
    priority: priorityOf(row.priority),
    tags: JSON.parse(row.tags),
    meta: JSON.parse(row.meta),
    stop: stopOf(row.stop),
    hookViolations: JSON.parse(row.hookViolations),
    restart: jsonOf(row.restart),
    verification: jsonOf(row.verification),
    sessionUsage: jsonOf(row.sessionUsage),
  }
}

const readState = (row: Pick<Selectable<TaskTable>, keyof StoredState>): TaskState =>
  stateOf({ ...row, goOn: jsonOf(row.goOn), waitsFor: jsonOf(row.waitsFor) })

const names = new Map(Object.entries(PRIORITIES).map(([name, rank]) => [rank as number, name as Priority]))
const priorityOf = (rank: number) => names.get(rank) ?? 'normal'

const jsonOf = <T>(json: string | null): T | null => (json === null ? null : JSON.parse(json))
const stopOf = (json: string | null) => jsonOf<StopOrder>(json)
