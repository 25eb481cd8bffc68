// Owns orders for many tasks at once, and what came of each.
import type { BulkFailureJson } from '../../../../src/protocol/json/bulk-json.ts'
import type { ArchivedJson, KilledJson } from '../../../../src/protocol/json/order-json.ts'
import { call, order, orderText, Refused } from '../connection/call.ts'

export type BulkKind = 'kill' | 'archive' | 'retry' | 'answer'
export type BulkFailure = { readonly id: string; readonly message: string }
export type BulkOutcome = {
  /** Carried out or refused. */
  readonly done: number
  readonly total: number
  /** Where there was nothing to do. */
  readonly already: number
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
  const give =
    kind === 'retry'
      ? (id: string) => order('POST /api/tasks/:id/retry', { id, body: {} })
      : await answering(choice)
  await orderEach(ids, give, onProgress)
}

/** Each answer is for what its task asks now: what it asks only when its turn comes was not meant. */
async function answering(choice: string): Promise<(id: string) => Promise<unknown>> {
  const { questions } = await call('GET /api/questions', { query: {} })
  return async (id) => {
    const asked = questions.find(({ session_id }) => session_id === id)
    if (asked === undefined)
      throw new Refused({ ...NOT_ASKING, message: `Session ${id} has no open question.` })
    return order('POST /api/tasks/:id/answer', { id, body: { choice, question: asked.number } })
  }
}
const NOT_ASKING = { code: 'NOT_ASKING', status: 409 } as const

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
    onProgress({ done: index + 1, total: ids.length, already: 0, failures: [...failures] })
  }
}

/** Answered in one piece when all is done. */
async function inOneRequest(kind: 'kill' | 'archive', ids: readonly string[]): Promise<BulkOutcome> {
  const text =
    kind === 'kill'
      ? await orderText('POST /api/tasks/kill', { body: { ids: [...ids], reason: 'killed from the page' } })
      : await orderText('POST /api/tasks/archive', { body: { ids: [...ids] } })
  const { results, failures } = JSON.parse(text) as {
    results: readonly (Partial<KilledJson> & Partial<ArchivedJson>)[]
    failures: readonly BulkFailureJson[]
  }
  return {
    done: results.length + failures.length,
    total: ids.length,
    already: results.filter((one) => one.already_ended || one.already_archived).length,
    failures: failures.map(({ session_id: id, message }) => ({ id, message })),
  }
}
