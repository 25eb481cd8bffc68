// Owns what a screen asks about one task.
import { useMemo } from 'react'
import type { WhyJson } from '../../../../src/protocol/json/recovery-json.ts'
import { call } from '../connection/call.ts'
import { type Known, type ResourceOptions, useResource } from '../held/resource.ts'
import { withRuns } from './with-runs.ts'

export const useTask = (id: string) =>
  useResource(['task', id, 'detail'], () => call('GET /api/tasks/:id', { id }))

/** Why it is in this state: the whole story with its evidence, as of the last event. */
export const useWhy = (id: string) =>
  useResource(['task', id, 'why'], () => call('GET /api/tasks/:id/why', { id }))

/** The same, with the tool calls of one that works as of now: no event tells of them, and only its last run can have more. */
export function useStory(id: string, works: boolean): Known<WhyJson> {
  const why = useWhy(id)
  const last = useLastRuns(id, 1, { every: TOOLS_EVERY_MS, enabled: works }).value
  return useMemo(
    () =>
      why.value === undefined || last === undefined ? why : { ...why, value: withRuns(why.value, last) },
    [why, last],
  )
}
const TOOLS_EVERY_MS = 5000

/** Its last runs with their tool calls: the answer does not grow with its story. */
export const useLastRuns = (id: string, count: number, options: ResourceOptions) =>
  useResource(
    ['task', id, 'runs', count],
    async () => (await call('GET /api/tasks/:id/runs', { id, query: { last: String(count) } })).runs,
    options,
  )

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
