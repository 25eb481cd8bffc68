// Owns the orders that a person gives.
import type { BarKey } from '../../../../src/domain/conversation/bar-keys.ts'
import type { PlainOrder, TaskOrder } from '../../words/offered.ts'
import { call, order, orderAs } from '../connection/call.ts'
import { refresh } from '../held/resource.ts'
import { giveAnswer } from './answers.ts'
import { draftKey } from './drafts.ts'

const PLAIN: Readonly<Record<PlainOrder, (id: string) => Promise<unknown>>> = {
  kill: (id) => order('POST /api/tasks/:id/kill', { id, body: { reason: 'killed from the page' } }),
  resume: (id) => order('POST /api/tasks/:id/resume', { id, body: {} }),
  retry: (id) => order('POST /api/tasks/:id/retry', { id, body: {} }),
  takeover: (id) => order('POST /api/tasks/:id/takeover', { id }),
  handback: (id) => order('POST /api/tasks/:id/handback', { id }),
  archive: (id) => order('POST /api/tasks/:id/archive', { id }),
  finish: (id) => order('POST /api/tasks/:id/finish', { id }),
  unpark: (id) => order('POST /api/tasks/:id/unpark', { id }),
}

/** An order for a task. An answer is never refused here: what became of it is told beside its question. */
export const giveOrder = (asked: TaskOrder): Promise<unknown> =>
  asked.kind === 'answer'
    ? giveAnswer(asked.question, asked.title, asked.choice)
    : PLAIN[asked.kind](asked.id)

export const unparkTask = PLAIN.unpark
/** The draft of a prompt is kept by the id of its task. */
export const sendPrompt = (id: string, prompt: string) =>
  orderAs(draftKey(id, prompt))('POST /api/tasks/:id/inputs', { id, body: { prompt } })
/** Never sent again: by then its terminal may show something else. */
export const pressKey = (id: string, key: BarKey) =>
  call('POST /api/tasks/:id/keys', { id, body: { keys: [key] } })

/** A tmux that was up all the time announces nothing. */
export async function tryTmux(): Promise<void> {
  await order('POST /api/tmux/try')
  for (const key of ['health', 'questions']) refresh([key])
}
