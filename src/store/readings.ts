// Owns what was read of an agent's events: effects and offsets commit together, so that no line counts twice.
import { HoldfastError } from '../domain/errors.ts'
import type { Reading, Store } from '../ports/store.ts'
import { writeEvent } from './events.ts'
import { type Holding, type Tx, write } from './holding.ts'
import { applyChange } from './record.ts'

export const readings = (holding: Holding): Pick<Store, 'recordReading'> => ({
  recordReading: (reading, change = {}) =>
    write(holding, async (tx) => {
      await addUsage(tx, reading)
      await keepSession(tx, holding, reading)
      await applyChange(tx, holding, change)
      await advance(tx, holding, reading)
    }),
})

async function addUsage(tx: Tx, { taskId, tokensIn, tokensOut, costUsd }: Reading): Promise<void> {
  if (tokensIn === 0 && tokensOut === 0 && costUsd === 0) return
  await tx
    .updateTable('tasks')
    .set((eb) => ({
      tokensIn: eb('tokensIn', '+', tokensIn),
      tokensOut: eb('tokensOut', '+', tokensOut),
      costUsd: eb('costUsd', '+', costUsd),
    }))
    .where('id', '=', taskId)
    .execute()
}

async function keepSession(tx: Tx, holding: Holding, { taskId, runId, sessionId }: Reading): Promise<void> {
  if (sessionId === undefined) return
  const { numUpdatedRows } = await tx
    .updateTable('tasks')
    .set({ sessionId })
    .where('id', '=', taskId)
    .where('sessionId', 'is distinct from', sessionId)
    .executeTakeFirstOrThrow()
  const data = { session_id: sessionId, run_id: runId }
  if (numUpdatedRows > 0n)
    await writeEvent(tx, holding, { at: holding.now(), kind: 'agent_session', taskId, data })
}

/** Last, although it decides: a task's row is locked before its run's. */
async function advance(tx: Tx, { nodeId }: Holding, reading: Reading): Promise<void> {
  const { taskId, runId, fromOffset, offset, outputLength, unknownLines, lastWords, result } = reading
  const { numUpdatedRows } = await tx
    .updateTable('runs')
    .set((eb) => ({
      eventsOffset: offset,
      outputLength,
      unknownLines: eb('unknownLines', '+', unknownLines),
      lastWords,
      result: result && JSON.stringify(result),
    }))
    .where('id', '=', runId)
    .where('taskId', '=', taskId)
    .where('nodeId', '=', nodeId)
    .where('eventsOffset', '=', fromOffset)
    .executeTakeFirstOrThrow()
  if (numUpdatedRows === 0n)
    throw new HoldfastError('TRANSITION_CONFLICT', `Run ${runId} was not read up to ${fromOffset}.`)
}
