// Owns reading tasks.
import { type ExpressionBuilder, type Kysely, sql } from 'kysely'
import type { TaskId } from '../../domain/names/ids.ts'
import { ENDED, isEnded, TASK_STATUSES } from '../../domain/task/machine.ts'
import type { WantedState } from '../../domain/task/status-view.ts'
import type { Task } from '../../domain/task/task.ts'
import type { Store } from '../../ports/store/store.ts'
import type { TaskFilter } from '../../ports/store/tasks.ts'
import { type Holding, read } from '../database/holding.ts'
import type { Tables } from '../database/schema.ts'
import { whenGiven } from '../database/when-given.ts'
import { SUMMARY, summaryOf } from './task-rows.ts'

type Reads =
  | 'task'
  | 'tasks'
  | 'newestTask'
  | 'taskIdsLike'
  | 'taskIdsWith'
  | 'tasksNamed'
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
      // First the living: one that ends after this look has left its row by the next one.
      const living = await livingChildren(db, parentId)
      const untold = await db
        .selectFrom('outbox')
        .select('childId')
        .where('parentId', '=', parentId)
        .where('boundTrigger', 'is', null)
        .execute()
      return [...new Set([...living, ...untold.map(({ childId }) => childId)])]
    }),
})

async function livingChildren(db: Kysely<Tables>, parentId: TaskId): Promise<TaskId[]> {
  const rows = await db
    .selectFrom('tasks')
    .select(['id', 'phase'])
    .where('status', 'in', LIVING)
    .where('archivedAt', 'is', null)
    .where('parentId', '=', parentId)
    .execute()
  const atRest = await Promise.all(rows.map((row) => row.phase === 'idle' && restIsNoted(db, row.id)))
  return rows.filter((_, index) => !atRest[index]).map(({ id }) => id)
}

/** Its parent was told, or is to be told, that its last turn is over; and nothing waits that would begin another one. */
async function restIsNoted(db: Kysely<Tables>, childId: TaskId): Promise<boolean> {
  const ahead = await db
    .selectFrom('inputs')
    .select('number')
    .where('taskId', '=', childId)
    .where('kind', 'in', ['prompt', 'continuation'])
    .where('doneAt', 'is', null)
    .executeTakeFirst()
  if (ahead !== undefined) return false
  const last = await db
    .selectFrom('taskTransitions')
    .select('at')
    .where('taskId', '=', childId)
    .where('event', '=', 'turn_finished')
    .orderBy('number', 'desc')
    .executeTakeFirst()
  const noted = await db
    .selectFrom('outbox')
    .select('seq')
    .where('childId', '=', childId)
    .where('what', '=', 'turn_finished')
    .where('at', '>=', last?.at ?? 0)
    .executeTakeFirst()
  return last !== undefined && noted !== undefined
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
