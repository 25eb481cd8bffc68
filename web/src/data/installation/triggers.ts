// Owns prompts on their way to agents, as lists and one by one.
import { call } from '../connection/call.ts'
import { useResource } from '../held/resource.ts'

export type TriggerFilter = { readonly to?: string; readonly thread?: string; readonly state?: string }

/** Newest first. */
export const useTriggerList = (filter: TriggerFilter, limit: number) =>
  useResource(
    ['triggers', 'list', filter, limit],
    async () => (await call('GET /api/triggers', { query: { ...filter, limit: String(limit) } })).triggers,
  )

export const useTrigger = (id: string) =>
  useResource(['triggers', 'one', id], () => call('GET /api/triggers/:id', { id, query: {} }))
