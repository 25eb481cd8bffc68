// Owns storing what was read from an agent's events: effects and offsets commit together, so that no line counts twice.
import { HoldfastError } from '../domain/errors.ts'
import type { Reading } from '../ports/store/reading.ts'
import { writeAudit } from './audit.ts'
import type { Writing } from './database/holding.ts'
import { markHeard } from './inputs.ts'
import { appendEvent } from './journal/append-events.ts'
import { lockTask } from './lock-task.ts'

/** What an agent's lines say is written first: the other parts of the commit follow from it. */
export async function applyReading(writing: Writing, reading: Reading): Promise<void> {
  writing.tasks.add(reading.taskId)
  await addUsage(writing, reading)
  await addViolations(writing, reading)
  await markHeard(writing, reading)
  await keepSession(writing, reading)
  await refuseSession(writing, reading)
}

async function addUsage(writing: Writing, reading: Reading): Promise<void> {
  const { taskId, runId, tokensIn, tokensOut, costUsd, sessionUsage } = reading
  const isUse = tokensIn !== 0 || tokensOut !== 0 || costUsd !== 0
  if (!isUse && sessionUsage === undefined) return
  await writing.tx
    .updateTable('tasks')
    .set((eb) => ({
      tokensIn: eb('tokensIn', '+', tokensIn),
      tokensOut: eb('tokensOut', '+', tokensOut),
      costUsd: eb('costUsd', '+', costUsd),
      sessionUsage: sessionUsage && JSON.stringify(sessionUsage),
    }))
    .where('id', '=', taskId)
    .execute()
  const data = { run_id: runId, tokens_in: tokensIn, tokens_out: tokensOut, cost_usd: costUsd }
  if (isUse) appendEvent(writing, { at: writing.now(), kind: 'usage_reported', taskId, data })
}

const MOST_VIOLATIONS = 100
const MOST_CHARACTERS = 300

/** An agent may run into the same hook again and again: only the latest violations are kept. */
async function addViolations(writing: Writing, reading: Reading): Promise<void> {
  const { taskId, runId, blocked = [] } = reading
  if (blocked.length === 0) return
  const { tx, now } = writing
  await lockTask(writing, taskId)
  const task = await tx
    .selectFrom('tasks')
    .select('hookViolations')
    .where('id', '=', taskId)
    .executeTakeFirstOrThrow()
  const all = [...JSON.parse(task.hookViolations), ...blocked.map(shortened)]
  const hookViolations = JSON.stringify(all.slice(-MOST_VIOLATIONS))
  await tx.updateTable('tasks').set({ hookViolations }).where('id', '=', taskId).execute()
  const what = blocked.map(shortened)
  const entry = { at: now(), kind: 'hook_violation', taskId } as const
  appendEvent(writing, { ...entry, data: { run_id: runId, what } })
  for (const detail of what) await writeAudit(writing, { ...entry, actor: `run ${runId}`, detail })
}

/** Does not end with half a character. */
const shortened = (text: string) => text.slice(0, MOST_CHARACTERS).replace(/[\ud800-\udbff]$/, '')

async function keepSession(writing: Writing, { taskId, runId, sessionId }: Reading): Promise<void> {
  if (sessionId === undefined) return
  const { numUpdatedRows } = await writing.tx
    .updateTable('tasks')
    .set({ sessionId })
    .where('id', '=', taskId)
    .where('sessionId', 'is distinct from', sessionId)
    .executeTakeFirstOrThrow()
  const data = { session_id: sessionId, run_id: runId }
  if (numUpdatedRows > 0n) appendEvent(writing, { at: writing.now(), kind: 'agent_session', taskId, data })
}

async function refuseSession(writing: Writing, reading: Reading): Promise<void> {
  const { taskId, runId, refusedSession } = reading
  if (refusedSession === undefined) return
  await writing.tx.updateTable('tasks').set({ sessionId: null }).where('id', '=', taskId).execute()
  const data = { session_id: refusedSession, run_id: runId }
  appendEvent(writing, { at: writing.now(), kind: 'session_refused', taskId, data })
}

/** Throws TRANSITION_CONFLICT when these lines were read before. After the task's parts, because row locks are taken in the order: task, run. */
export async function advanceRun({ tx, nodeId }: Writing, reading: Reading): Promise<void> {
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
