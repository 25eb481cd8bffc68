// Owns a person's order to finish a session: it ends as completed when its turn is over. With a contract, it is verified first.

import { moveTask } from '../../changes/move-task.ts'
import { sayInput } from '../../changes/say-input.ts'
import { tryCommit } from '../../changes/try-commit.ts'
import { finishedBy, finishOrderIn } from '../../delivery/inputs/finish-order.ts'
import { HoldfastError, waysOut } from '../../domain/errors.ts'
import type { TaskId } from '../../domain/names/ids.ts'
import { saw } from '../../domain/task/evidence.ts'
import { isEnded } from '../../domain/task/machine.ts'
import { waitsForChildren } from '../../domain/task/state.ts'
import { staysWhenIdle } from '../../domain/task/stays-when-idle.ts'
import type { Task } from '../../domain/task/task.ts'
import type { AuditEntry } from '../../ports/store/audit.ts'
import type { ConversationReads } from '../../ports/store/conversation.ts'
import type { RunReads } from '../../ports/store/runs.ts'
import type { Reads } from '../../ports/store/store.ts'
import { storeResult } from '../ending/store-result.ts'
import { afterEnd } from '../recovering/after-end.ts'
import type { After } from '../recovering/decide-end.ts'
import type { Core } from '../task/core.ts'
import { existingTask } from '../task/existing-task.ts'
import { verifyTask } from '../verifying/verify-task.ts'
import type { OrdersNeeds } from './needs.ts'

/** False when the task had ended before. The order is queued as an input, so it waits for the prompts that were sent before it. */
export async function finishTask(task: Task, by: string, core: OrdersNeeds): Promise<boolean> {
  if (!isEnded(task.status) && !staysWhenIdle(task) && !waitsForChildren(task))
    throw new HoldfastError(
      'AGENT_CANNOT',
      `Session ${task.id} was not told to finish: it has only one prompt, and ends by itself when that is done. Wait for it, or end it now.`,
      { waysOut: waysOut(task.id, 'kill') },
    )
  return core.withLock(task.id, () => orderFinish(task.id, by, core))
}

async function orderFinish(id: TaskId, by: string, core: OrdersNeeds): Promise<boolean> {
  const task = await existingTask(id, core)
  if (isEnded(task.status)) return false
  if (!core.watched.has(id) && (task.phase === 'stopped_by_person' || waitsForChildren(task)))
    await completeWithoutRun(task, by, core)
  else if (finishOrderIn(await core.store.inputs(id)) === undefined) await queueFinish(task, by, core)
  return true
}

async function queueFinish({ id }: Task, by: string, core: Pick<Core, 'clock' | 'commit'>): Promise<void> {
  const at = core.clock.now()
  const audit: AuditEntry = {
    at,
    kind: 'finish_ordered',
    taskId: id,
    actor: by,
    detail: 'completed when its turn is over',
  }
  const input = { taskId: id, kind: 'finish', text: '', by, at } as const
  if ((await tryCommit({ input, audit }, core)) === undefined)
    throw new HoldfastError('TASK_NOT_ACTIVE', `Session ${id} has ended.`)
}

/** For a task that a person stopped, or that waits for its children, and whose run is over: there is no process to end. */
async function completeWithoutRun(task: Task, by: string, core: OrdersNeeds): Promise<void> {
  const run = (await core.store.runsOf(task.id)).at(-1)
  const after: After =
    task.snapshot.verify === undefined ? { kind: 'end', event: 'completed' } : { kind: 'verify' }
  if (run !== undefined) await storeResult({ task, run }, { after }, core)
  const at = core.clock.now()
  const event = after.kind === 'end' ? 'completed' : 'verifying'
  const reason = finishedBy(by)
  await core.commit({
    task: moveTask({
      id: task.id,
      from: task.status,
      event,
      reason,
      evidence: [saw('person', reason)],
      at,
      set: event === 'completed' ? { endedAt: at } : {},
    }),
    audit: { at, kind: `task_${event}`, taskId: task.id, actor: by, detail: reason },
  })
  await afterEnd(task.id, after, core)
  if (after.kind === 'verify') void verifyTask(task.id, core)
}

/** Marks an old order to finish as carried out, so that a task that is brought back is not finished by it. */
export async function forgetFinish(
  { id, runId }: Task,
  core: Pick<Core, 'clock' | 'commit'> & Reads<ConversationReads & RunReads>,
): Promise<void> {
  const old = finishOrderIn(await core.store.inputs(id))
  const run = runId ?? (await core.store.runsOf(id)).at(-1)?.id
  if (old !== undefined && run !== undefined)
    await core.commit({ say: sayInput(old, { runId: run, at: core.clock.now(), written: null }) })
}
