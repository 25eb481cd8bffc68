// Owns orders for many tasks at once, and what came of each.
import type { BulkLine } from '../../../src/protocol/json/bulk-json.ts'
import { order, orderLines, Refused } from './call.ts'

export type BulkKind = 'kill' | 'archive' | 'retry' | 'answer'
export type BulkFailure = { readonly id: string; readonly message: string }
export type BulkOutcome = {
  readonly done: number
  readonly total: number
  readonly failures: readonly BulkFailure[]
}

/** `choice`: the answer, for `answer`. */
export async function orderMany(
  kind: BulkKind,
  ids: readonly string[],
  choice: string,
  onProgress: (outcome: BulkOutcome) => void,
): Promise<void> {
  if (kind === 'kill' || kind === 'archive') return onProgress(await inOneRequest(kind, ids))
  const give = (id: string) =>
    kind === 'retry'
      ? order('POST /api/tasks/:id/retry', { id, body: {} })
      : order('POST /api/tasks/:id/answer', { id, body: { choice } })
  await orderEach(ids, give, onProgress)
}

/** One order after the other. One that is refused does not hold up the next ones. */
export async function orderEach(
  ids: readonly string[],
  give: (id: string) => Promise<unknown>,
  onProgress: (outcome: BulkOutcome) => void,
): Promise<void> {
  const failures: BulkFailure[] = []
  for (const [index, id] of ids.entries()) {
    try {
      await give(id)
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      failures.push({ id, message: error.message })
    }
    onProgress({ done: index + 1, total: ids.length, failures: [...failures] })
  }
}

async function inOneRequest(kind: 'kill' | 'archive', ids: readonly string[]): Promise<BulkOutcome> {
  const text =
    kind === 'kill'
      ? await orderLines('POST /api/tasks/kill', { body: { ids: [...ids], reason: 'killed from the page' } })
      : await orderLines('POST /api/tasks/archive', { body: { ids: [...ids] } })
  const lines = text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as BulkLine<unknown>)
  const failures = lines.flatMap((line) =>
    'failure' in line ? [{ id: line.failure.session_id, message: line.failure.message }] : [],
  )
  const done = lines.filter((line) => 'result' in line).length + failures.length
  return { done, total: ids.length, failures }
}
