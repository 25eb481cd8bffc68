// Owns what is read of triggers: one by its id or key, its steps, lists of them.
import type { Kysely } from 'kysely'
import { runNamed } from '../domain/task/caller.ts'
import type { Trigger } from '../domain/task/input.ts'
import { WAITING_STATES } from '../domain/trigger/machine.ts'
import type { Store } from '../ports/store/store.ts'
import type { TriggerReads } from '../ports/store/triggers.ts'
import { type Holding, read } from './database/holding.ts'
import type { Tables } from './database/schema.ts'
import { whenGiven } from './database/when-given.ts'

/** Wake-ups that are older than this are not looked at, even if they had to wait for so long. */
const LONGEST_DEFERRAL_MS = 3_600_000

export const triggers = (holding: Holding): Pick<Store, keyof TriggerReads> => ({
  trigger: (id) => read(holding, (db) => oneTrigger(inputs(db).where('triggerId', '=', id))),

  triggerWithKey: (taskId, key) =>
    read(holding, (db) => oneTrigger(inputs(db).where('taskId', '=', taskId).where('key', '=', key))),

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

  triggers: ({ thread, taskId, state, after, limit }) =>
    read(holding, (db) =>
      allTriggers(
        inputs(db)
          .where('triggerId', 'is not', null)
          .$call(whenGiven(thread, (query, one) => query.where('thread', '=', one)))
          .$call(whenGiven(taskId, (query, one) => query.where('taskId', '=', one)))
          .$call(whenGiven(state, (query, one) => query.where('state', '=', one)))
          .$call(
            whenGiven(after, (query, { at, id }) =>
              query.where('at', '<=', at).where((eb) => eb.or([eb('at', '<', at), eb('triggerId', '<', id)])),
            ),
          )
          .orderBy('at', 'desc')
          .orderBy('triggerId', 'desc')
          .limit(limit),
      ),
    ),

  triggersIn: (states) =>
    read(holding, async (db) => {
      const rows = await allTriggers(
        db
          .selectFrom('inputs')
          .innerJoin('tasks', 'tasks.id', 'inputs.taskId')
          .selectAll('inputs')
          .where('inputs.state', 'in', states)
          .where('tasks.nodeId', '=', holding.nodeId),
      )
      return rows.sort((a, b) => a.at - b.at || a.number - b.number)
    }),

  unsubmitted: (taskId, reason) =>
    read(holding, (db) =>
      allTriggers(
        inputs(db)
          .where('taskId', '=', taskId)
          .where('reason', '=', reason)
          .where('state', 'in', [...WAITING_STATES, 'typed'])
          .orderBy('number'),
      ),
    ),

  wakesSince: (since) =>
    read(holding, async (db) => {
      const rows = await db
        .selectFrom('inputs')
        .innerJoin('triggerSteps', 'triggerSteps.triggerId', 'inputs.triggerId')
        .select(['inputs.thread', 'inputs.by', (eb) => eb.fn.max('triggerSteps.at').as('at')])
        .where('inputs.at', '>=', since - LONGEST_DEFERRAL_MS)
        .where((eb) => eb.or([eb('inputs.thread', 'is not', null), eb('inputs.by', 'like', runNamed('%'))]))
        .where('triggerSteps.event', '=', 'queued')
        .where((eb) =>
          eb.or([eb('inputs.code', 'is', null), eb('inputs.code', '<>', 'TRIGGER_RATE_LIMITED')]),
        )
        .groupBy(['inputs.triggerId', 'inputs.thread', 'inputs.by'])
        .having((eb) => eb.fn.max('triggerSteps.at'), '>=', since)
        .execute()
      return rows
    }),
})

const inputs = (db: Kysely<Tables>) => db.selectFrom('inputs').selectAll()

/** For queries that find only inputs with a trigger's id. */
const allTriggers = async (query: { execute(): Promise<unknown[]> }) => (await query.execute()) as Trigger[]
const oneTrigger = async (query: { executeTakeFirst(): Promise<unknown> }) =>
  (await query.executeTakeFirst()) as Trigger | undefined
