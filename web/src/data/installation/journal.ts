// Owns what the page asks about those that follow the journal, and the orders about events that they set aside.
import { call, order } from '../connection/call.ts'
import { refresh, useResource } from '../held/resource.ts'

export const useJournal = () => useResource(['journal'], () => call('GET /api/journal'), { every: 30_000 })

/** All of them. What fails again is set aside again. */
export async function retryEvents(): Promise<void> {
  await order('POST /api/journal/retry')
  refresh(['journal'])
}

/** `id`: as the event is listed. */
export async function dropEvent(id: string): Promise<void> {
  await order('POST /api/journal/drop', { body: { event: id } })
  refresh(['journal'])
}
