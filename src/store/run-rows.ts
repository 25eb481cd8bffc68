// Owns writing runs: a new one, and each move.

import { HoldfastError } from '../domain/errors.ts'
import { nextRun } from '../domain/task/next-state.ts'
import type { RunDraft, RunMove } from '../ports/store/runs.ts'
import type { Writing } from './database/holding.ts'

export async function insertRun({ tx, nodeId, tasks }: Writing, draft: RunDraft): Promise<void> {
  tasks.add(draft.taskId)
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('runs')
    .values({
      ...draft,
      nodeId,
      state: 'launching',
      eventsOffset: 0,
      unknownLines: 0,
      tools: 0,
      progress: 0,
      sessionRefused: 0,
      eventsLost: 0,
      daemonDeaths: 0,
      steps: '[]',
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow()
  if (numInsertedOrUpdatedRows === 0n)
    throw new HoldfastError(
      'TRANSITION_CONFLICT',
      `Run ${draft.number} of task ${draft.taskId} exists already.`,
    )
}

export async function moveRun(
  { tx, nodeId, tasks }: Writing,
  { id, from, event, set }: RunMove,
): Promise<void> {
  const moved = await tx
    .updateTable('runs')
    .set({ ...set, state: nextRun(from, event) })
    .where('id', '=', id)
    .where('nodeId', '=', nodeId)
    .where('state', '=', from)
    .returning('taskId')
    .executeTakeFirst()
  if (moved === undefined)
    throw new HoldfastError(
      'TRANSITION_CONFLICT',
      `Run ${id} is not ${from} any more: '${event}' came too late.`,
    )
  tasks.add(moved.taskId)
}
