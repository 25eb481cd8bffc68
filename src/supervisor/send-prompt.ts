// Owns a further prompt for a task that can hear, and the word that there will be no more.
import { checkPrompt } from '../domain/check-prompt.ts'
import { HoldfastError } from '../domain/errors.ts'
import type { Input, Task } from '../domain/task.ts'
import type { Core } from './core.ts'
import { driverOf } from './driver-of.ts'
import { hearsBy } from './hearing.ts'
import { lookAgain } from './watch-task.ts'

/** Stored now, said when the agent's turn is over. */
export async function sendPrompt(task: Task, prompt: string, by: string, core: Core): Promise<Input> {
  const text = checkPrompt(Buffer.from(prompt), core.config['prompt.maxBytes'])
  if (hearsBy(task, driverOf(task, core)) === 'nothing')
    throw new HoldfastError(
      'AGENT_CANNOT',
      `${task.id} hears no more prompts: it was started neither with --converse nor in its terminal.`,
    )
  return queue(task, 'prompt', text, by, core)
}

/** It ends when its turn is over and all that was sent before is done. */
export async function endConversation(task: Task, by: string, core: Core): Promise<Input> {
  if (task.mode === 'interactive' || hearsBy(task, driverOf(task, core)) !== 'lines')
    throw new HoldfastError(
      'AGENT_CANNOT',
      `${task.id} is no conversation that could be ended; leave it in its terminal, or kill it.`,
    )
  return queue(task, 'end', '', by, core)
}

async function queue(task: Task, kind: Input['kind'], text: string, by: string, core: Core): Promise<Input> {
  const at = core.clock.now()
  const detail = kind === 'end' ? 'no more prompts' : `${Buffer.byteLength(text)} bytes`
  const audit = { at, kind: `${kind}_sent`, taskId: task.id, actor: by, detail }
  const input = await core.store.addInput({ taskId: task.id, kind, text, by, at }, audit)
  if (input === undefined) throw new HoldfastError('TASK_NOT_ACTIVE', `Session ${task.id} has ended.`)
  lookAgain(task.id, core)
  return input
}
