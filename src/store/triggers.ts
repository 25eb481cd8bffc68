// Owns what is read of triggers: one by its id or key, its steps, lists of them.
import type { Trigger } from '../domain/task/task.ts'
import type { Store, TriggerReads } from '../ports/store.ts'
import { type Holding, read } from './database/holding.ts'
import { whenGiven } from './database/when-given.ts'

export const triggers = (holding: Holding): Pick<Store, keyof TriggerReads> => ({
  trigger: (id) =>
    read(
      holding,
      async (db) =>
        (await db.selectFrom('inputs').selectAll().where('triggerId', '=', id).executeTakeFirst()) as
          | Trigger
          | undefined,
    ),

  triggerWithKey: (taskId, key) =>
    read(
      holding,
      async (db) =>
        (await db
          .selectFrom('inputs')
          .selectAll()
          .where('taskId', '=', taskId)
          .where('key', '=', key)
          .executeTakeFirst()) as Trigger | undefined,
    ),

  triggerSteps: (id) =>
    read(holding, async (db) => {
      const rows = await db
        .selectFrom('triggerSteps')
        .selectAll()
        .where('triggerId', '=', id)
        .orderBy('number')
        .execute()
      return rows.map((row) => ({ ...row, evidence: JSON.parse(row.evidence) }))
    }),

  triggers: ({ thread, taskId, state, limit }) =>
    read(
      holding,
      async (db) =>
        (await db
          .selectFrom('inputs')
          .selectAll()
          .where('triggerId', 'is not', null)
          .$call(whenGiven(thread, (query, one) => query.where('thread', '=', one)))
          .$call(whenGiven(taskId, (query, one) => query.where('taskId', '=', one)))
          .$call(whenGiven(state, (query, one) => query.where('state', '=', one)))
          .orderBy('at', 'desc')
          .orderBy('triggerId', 'desc')
          .limit(limit)
          .execute()) as Trigger[],
    ),

  triggersIn: (states) =>
    read(holding, async (db) => {
      const rows = (await db
        .selectFrom('inputs')
        .innerJoin('tasks', 'tasks.id', 'inputs.taskId')
        .selectAll('inputs')
        .where('inputs.state', 'in', states)
        .where('tasks.nodeId', '=', holding.nodeId)
        .execute()) as Trigger[]
      return rows.sort((a, b) => a.at - b.at || a.number - b.number)
    }),
})
