// Owns deleting what was told long ago: news of children, and prompts that a task which goes on for ever has worked off.
import type { Holding, Tx } from '../database/holding.ts'

/** The last input of each task stays: the next one is counted from it. Those of other tasks go with their task. */
export async function pruneTold(
  tx: Tx,
  { nodeId }: Pick<Holding, 'nodeId'>,
  before: number,
  most: number,
): Promise<void> {
  // Rows for nobody (no parent lives) were told to people; so were those for a runtime that was removed since.
  await tx
    .deleteFrom('outbox')
    .where('at', '<', before)
    .where((eb) =>
      eb.or([
        eb('boundTrigger', 'is not', null),
        eb('parentId', 'is', null),
        eb('parentId', 'not in', eb.selectFrom('tasks').select('id')),
      ]),
    )
    .execute()
  const old = await tx
    .selectFrom('inputs')
    .innerJoin('tasks', 'tasks.id', 'inputs.taskId')
    .select(['inputs.taskId', 'inputs.number', 'inputs.triggerId'])
    .where('tasks.nodeId', '=', nodeId)
    .where('tasks.runtime', 'is not', null)
    .where('inputs.doneAt', '<', before)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('inputs as later')
          .select('later.number')
          .whereRef('later.taskId', '=', 'inputs.taskId')
          .whereRef('later.number', '>', 'inputs.number'),
      ),
    )
    .limit(most)
    .execute()
  for (const { taskId, number, triggerId } of old) {
    if (triggerId !== null) await tx.deleteFrom('triggerSteps').where('triggerId', '=', triggerId).execute()
    await tx.deleteFrom('inputs').where('taskId', '=', taskId).where('number', '=', number).execute()
  }
}
