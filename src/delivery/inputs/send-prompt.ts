// Owns sending a further prompt to a task that can hear, and the message that no more prompts will come.

import { tryCommit } from '../../changes/try-commit.ts'
import { checkPrompt } from '../../domain/conversation/check-prompt.ts'
import { HoldfastError, waysOut } from '../../domain/errors.ts'
import type { Input, Task } from '../../domain/task/task.ts'
import { driverOf } from '../../ports/driver-of.ts'
import type { ConversationReads, Reads } from '../../ports/store.ts'
import type { AuditEntry } from '../../ports/store-changes.ts'
import type { DeliveryNeeds } from '../needs.ts'
import { orderIn } from './finish-order.ts'
import { hearsBy, staysWhenIdle } from './hearing.ts'

/** Stores the prompt. It is said when the agent's turn is over. */
export async function sendPrompt(
  task: Task,
  prompt: string,
  by: string,
  needs: Pick<DeliveryNeeds, 'clock' | 'commit' | 'config' | 'driver'> & Reads<ConversationReads>,
): Promise<Input> {
  const text = checkPrompt(Buffer.from(prompt), needs.config['prompt.maxBytes'])
  if (hearsBy(task, driverOf(task, needs)) === 'nothing')
    throw new HoldfastError(
      'AGENT_CANNOT',
      `${task.id} takes no further prompts: it runs without --converse and without a terminal.`,
    )
  if (orderIn(await needs.store.inputs(task.id)) !== undefined)
    throw new HoldfastError('TASK_NOT_ACTIVE', `${task.id} is being finished: it takes no further prompts.`)
  return queue(task, 'prompt', text, by, needs)
}

/** The conversation ends when its turn is over and all earlier prompts are done. */
export async function endConversation(
  task: Task,
  by: string,
  needs: Pick<DeliveryNeeds, 'clock' | 'commit' | 'driver'>,
): Promise<Input> {
  if (task.mode === 'interactive' || hearsBy(task, driverOf(task, needs)) !== 'lines')
    throw new HoldfastError(
      'AGENT_CANNOT',
      'Only a conversation without a terminal can be told that no more prompts come.',
      {
        waysOut: waysOut(
          task.id,
          ...(staysWhenIdle(task) ? (['finish', 'kill'] as const) : (['kill'] as const)),
        ),
      },
    )
  return queue(task, 'end', '', by, needs)
}

async function queue(
  task: Task,
  kind: 'prompt' | 'end',
  text: string,
  by: string,
  needs: Pick<DeliveryNeeds, 'clock' | 'commit'>,
): Promise<Input> {
  const at = needs.clock.now()
  const detail = kind === 'end' ? 'no more prompts' : `${Buffer.byteLength(text)} bytes`
  const audit: AuditEntry = { at, kind: `${kind}_sent`, taskId: task.id, actor: by, detail }
  const queued = await tryCommit({ input: { taskId: task.id, kind, text, by, at }, audit }, needs)
  if (queued?.input === undefined) throw new HoldfastError('TASK_NOT_ACTIVE', `Session ${task.id} has ended.`)
  return queued.input
}
