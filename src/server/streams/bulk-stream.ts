// Owns the answer to an order for many tasks. The order is carried out even if the client goes away.
import type { Context } from 'hono'
import { stream } from 'hono/streaming'
import { HoldfastError } from '../../domain/errors.ts'
import type { TaskId } from '../../domain/names/ids.ts'
import type { BulkFailureJson, BulkLine } from '../../protocol/json/bulk-json.ts'
import type { ServerContext } from '../context.ts'
import { bulkFailureJson } from '../requests/error-json.ts'
import { type BulkOrder, carryOutAll } from './bulk-order.ts'

/** A client gets at least one line in this time. */
const SIGN_OF_LIFE_MS = 1000

export type Bulk<Result> = Pick<BulkOrder<Result>, 'ids' | 'give'> & {
  /** Results that are known before the first task. */
  readonly first?: readonly Result[]
  /** Done after the last task, before the answer ends. */
  readonly after?: () => Promise<void>
  /** The answer in one piece, for a client that does not accept lines. */
  readonly whole?: (results: readonly Result[]) => Readonly<Record<string, unknown>>
}

/** The parts of the context that `bulkStream` needs. */
export type BulkNeeds = 'clock' | 'log' | 'stopping'
type BulkContext = Pick<ServerContext, BulkNeeds>

/** Answers with a line for each result if the client accepts lines; otherwise in one piece, when all is done. */
export function bulkStream<Result>(
  c: Context,
  bulk: Bulk<Result>,
  context: BulkContext,
): Response | Promise<Response> {
  return c.req.header('accept')?.includes(LINES) ? inLines(c, bulk, context) : inOnePiece(c, bulk, context)
}
const LINES = 'application/x-ndjson'

async function inOnePiece<Result>(c: Context, bulk: Bulk<Result>, context: BulkContext): Promise<Response> {
  const results: Result[] = []
  const failures: BulkFailureJson[] = []
  const order = {
    ...bulk,
    onDone: (_: TaskId, result: Result) => void results.push(result),
    onFailed: (id: TaskId, error: HoldfastError) => void failures.push(bulkFailureJson(id, error)),
  }
  const isComplete = await carryOutAll(order, context.stopping)
  await bulk.after?.()
  if (!isComplete)
    throw new HoldfastError(
      'DAEMON_UNREACHABLE',
      `The daemon is stopping: ${results.length} of ${bulk.ids.length} sessions were handled${failures.length === 0 ? '' : `, ${failures.length} failed`}. Send the request again for the others.`,
    )
  return c.json({
    ...(bulk.whole ?? ((all) => ({ results: all })))([...(bulk.first ?? []), ...results]),
    failures,
  })
}

function inLines<Result>(c: Context, bulk: Bulk<Result>, context: BulkContext): Response {
  const { clock, log } = context
  const total = bulk.ids.length
  const lines: BulkLine<Result>[] = (bulk.first ?? []).map((result) => ({ result }))
  let done = 0
  let isOver = false
  let wake = () => {}
  const addLine = (line: BulkLine<Result>) => {
    done++
    lines.push(line)
    wake()
  }
  const onFailed = (id: TaskId, error: HoldfastError) => addLine({ failure: bulkFailureJson(id, error) })
  const order = { ...bulk, onDone: (_: TaskId, result: Result) => addLine({ result }), onFailed }
  const carriedOut = carryOutAll(order, context.stopping)
    .then(async (isComplete) => {
      await bulk.after?.()
      if (isComplete) lines.push({ over: true })
    })
    .catch((error) => log.error('an order for many tasks stopped before its end', { error: String(error) }))
    .finally(() => {
      isOver = true
      wake()
    })

  const news = () =>
    new Promise<void>((resolve) => {
      const cancel = clock.after(SIGN_OF_LIFE_MS, resolve)
      wake = () => {
        cancel()
        resolve()
      }
    })
  c.header('content-type', `${LINES}; charset=utf-8`)
  return stream(c, async (out) => {
    while (!out.aborted) {
      const some: BulkLine<Result>[] = [{ progress: { done, total } }, ...lines.splice(0)]
      await out.write(some.map((line) => `${JSON.stringify(line)}\n`).join(''))
      if (isOver && lines.length === 0) return
      if (lines.length === 0) await news()
    }
    await carriedOut
  })
}
