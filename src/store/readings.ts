// Owns what was read of an agent's events: effects and offsets commit together, so that no line counts twice.
import { HoldfastError } from '../domain/errors.ts'
import type { Store } from '../ports/store.ts'
import type { Reading } from '../ports/store-changes.ts'
import { writeAudit } from './audit.ts'
import { writeEvent } from './events.ts'
import { type Holding, type Tx, write } from './holding.ts'
import { hear } from './inputs.ts'
import { lockTask } from './lock-task.ts'
import { applyChange } from './record.ts'

export const readings = (holding: Holding): Pick<Store, 'recordReading'> => ({
  recordReading: (reading, change = {}) =>
    write(holding, async (tx) => {
      await addUsage(tx, reading)
      await addViolations(tx, holding, reading)
      await hear(tx, holding, reading)
      await keepSession(tx, holding, reading)
      await refuseSession(tx, holding, reading)
      await applyChange(tx, holding, change)
      await advance(tx, holding, reading)
    }),
})

async function addUsage(tx: Tx, reading: Reading): Promise<void> {
  const { taskId, tokensIn, tokensOut, costUsd, sessionUsage } = reading
  if (tokensIn === 0 && tokensOut === 0 && costUsd === 0 && sessionUsage === undefined) return
  await tx
    .updateTable('tasks')
    .set((eb) => ({
      tokensIn: eb('tokensIn', '+', tokensIn),
      tokensOut: eb('tokensOut', '+', tokensOut),
      costUsd: eb('costUsd', '+', costUsd),
      sessionUsage: sessionUsage && JSON.stringify(sessionUsage),
    }))
    .where('id', '=', taskId)
    .execute()
}

const MOST_VIOLATIONS = 100
const MOST_CHARACTERS = 300

/** An agent may run into the same hook for ever: only the latest are kept. */
async function addViolations(tx: Tx, holding: Holding, reading: Reading): Promise<void> {
  const { taskId, runId, blocked = [] } = reading
  if (blocked.length === 0) return
  await lockTask(tx, holding, taskId)
  const task = await tx
    .selectFrom('tasks')
    .select('hookViolations')
    .where('id', '=', taskId)
    .executeTakeFirstOrThrow()
  const all = [...JSON.parse(task.hookViolations), ...blocked.map(shortened)]
  const hookViolations = JSON.stringify(all.slice(-MOST_VIOLATIONS))
  await tx.updateTable('tasks').set({ hookViolations }).where('id', '=', taskId).execute()
  const entry = { at: holding.now(), kind: 'hook_violation', taskId, actor: `run ${runId}` }
  for (const detail of blocked.map(shortened)) await writeAudit(tx, { ...entry, detail })
}

/** Never half a character. */
const shortened = (text: string) => text.slice(0, MOST_CHARACTERS).replace(/[\ud800-\udbff]$/, '')

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

async function refuseSession(tx: Tx, holding: Holding, reading: Reading): Promise<void> {
  const { taskId, runId, refusedSession } = reading
  if (refusedSession === undefined) return
  await tx.updateTable('tasks').set({ sessionId: null }).where('id', '=', taskId).execute()
  const data = { session_id: refusedSession, run_id: runId }
  await writeEvent(tx, holding, { at: holding.now(), kind: 'session_refused', taskId, data })
}

/** Last, although it decides: a task's row is locked before its run's. */
async function advance(tx: Tx, { nodeId }: Holding, reading: Reading): Promise<void> {
  const { taskId, runId, fromOffset, offset, outputLength, unknownLines, lastWords, result } = reading
  const { tools = 0, progress = 0, steps, failure, limitedUntil, refusedSession, eventsLost } = reading
  const { numUpdatedRows } = await tx
    .updateTable('runs')
    .set((eb) => ({
      eventsOffset: offset,
      outputLength,
      unknownLines: eb('unknownLines', '+', unknownLines),
      lastWords,
      result: result && JSON.stringify(result),
      tools: eb('tools', '+', tools),
      progress: eb('progress', '+', progress),
      failure,
      limitedUntil,
      ...(refusedSession === undefined ? {} : { sessionRefused: 1 as const }),
      ...(eventsLost === true ? { eventsLost: 1 as const } : {}),
      steps: steps && JSON.stringify(steps),
    }))
    .where('id', '=', runId)
    .where('taskId', '=', taskId)
    .where('nodeId', '=', nodeId)
    .where('eventsOffset', '=', fromOffset)
    .executeTakeFirstOrThrow()
  if (numUpdatedRows === 0n)
    throw new HoldfastError('TRANSITION_CONFLICT', `Run ${runId} was not read up to ${fromOffset}.`)
}
