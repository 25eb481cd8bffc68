// Owns what a screen asks about one task.
import { call } from '../connection/call.ts'
import { useResource } from '../held/resource.ts'

export const useTask = (id: string) =>
  useResource(['task', id, 'detail'], () => call('GET /api/tasks/:id', { id }))

/** Why it is in this state: the whole story with its evidence. No event tells of the tool calls of one that works. */
export const useWhy = (id: string, works = false) =>
  useResource(
    ['task', id, 'why'],
    () => call('GET /api/tasks/:id/why', { id }),
    works ? { every: TOOLS_EVERY_MS } : {},
  )
const TOOLS_EVERY_MS = 5000

/** What it was told at its start. */
export const usePrompt = (id: string) =>
  useResource(['prompt', id], () => call('GET /api/tasks/:id/prompt', { id }))

export const useResult = (id: string) =>
  useResource(['task', id, 'result'], () => call('GET /api/tasks/:id/result', { id }))

/** The prompts that were sent to it, newest first. */
export const useTriggersTo = (id: string) =>
  useResource(
    ['task', id, 'triggers'],
    async () => (await call('GET /api/triggers', { query: { to: id } })).triggers,
  )
