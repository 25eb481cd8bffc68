// Owns the orders that a person gives.
import type { BarKey } from '../../../../src/domain/conversation/bar-keys.ts'
import { order } from '../connection/call.ts'
import { refresh } from '../held/resource.ts'

export const killTask = (id: string) =>
  order('POST /api/tasks/:id/kill', { id, body: { reason: 'killed from the page' } })
export const resumeTask = (id: string) => order('POST /api/tasks/:id/resume', { id, body: {} })
export const retryTask = (id: string) => order('POST /api/tasks/:id/retry', { id, body: {} })
export const takeOverTask = (id: string) => order('POST /api/tasks/:id/takeover', { id })
export const handBackTask = (id: string) => order('POST /api/tasks/:id/handback', { id })
export const archiveTask = (id: string) => order('POST /api/tasks/:id/archive', { id })
export const finishTask = (id: string) => order('POST /api/tasks/:id/finish', { id })
export const unparkTask = (id: string) => order('POST /api/tasks/:id/unpark', { id })
export const sendPrompt = (id: string, prompt: string) =>
  order('POST /api/tasks/:id/inputs', { id, body: { prompt } })
export const pressKey = (id: string, key: BarKey) =>
  order('POST /api/tasks/:id/keys', { id, body: { keys: [key] } })

/** A tmux that was up all the time announces nothing. */
export async function tryTmux(): Promise<void> {
  await order('POST /api/tmux/try')
  for (const key of ['health', 'questions']) refresh([key])
}
