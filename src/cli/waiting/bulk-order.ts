// Owns an order for many sessions: one request to the daemon, one line of progress, and every result.
import { errorCatalogue } from '../../domain/errors/catalogue.ts'
import { HoldfastError } from '../../domain/errors.ts'
import { wholeLines } from '../../domain/text/whole-lines.ts'
import type { BulkFailureJson, BulkLine } from '../../protocol/json/bulk-json.ts'
import type { Context } from '../context.ts'
import { waysOutText } from '../render/text/ways-out-text.ts'
import { isConnectionLost } from '../wire/daemon-error.ts'
import { silentDaemon } from '../wire/daemon-holder.ts'
import { waysOutOf } from '../wire/ways-out.ts'
import { progressLine } from './progress-line.ts'

/** The daemon sends a line every second; after this silence it counts as not answering. */
const PATIENCE_MS = 20_000

export type BulkDone<Result> = { readonly results: Result[]; readonly failures: BulkFailureJson[] }
/** The verb in two forms, such as `Killing` and `killed`. */
export type Words = { readonly doing: string; readonly done: string }

export async function bulkOrder<Result>(
  answer: Promise<AsyncIterable<Buffer>>,
  words: Words,
  context: Context,
): Promise<BulkDone<Result>> {
  const all: BulkDone<Result> = { results: [], failures: [] }
  const line = progressLine(context)
  let seen = { done: 0, total: 0 }
  try {
    for await (const said of linesOf<BulkLine<Result>>(await answer, context.home)) {
      if ('over' in said) return throwIfSingle(all)
      if ('result' in said) all.results.push(said.result)
      if ('failure' in said) all.failures.push(said.failure)
      if ('progress' in said) {
        seen = said.progress
        if (seen.total > 1) line.show(`${words.doing}: ${seen.done} of ${seen.total}`)
      }
    }
  } catch (error) {
    if (!isConnectionLost(error)) throw error
  } finally {
    line.clear()
  }
  sayFailures(all, context)
  const failed = all.failures.length
  throw new HoldfastError(
    'DAEMON_UNREACHABLE',
    `The daemon stopped too early: ${Math.max(0, seen.done - failed)} of ${seen.total} sessions were ${words.done}${failed === 0 ? '' : `, ${failed} failed`}. Run the command again for the others.`,
  )
}

/** An order for a single session that failed is thrown as an error, like that of any other command. */
function throwIfSingle<Result>(all: BulkDone<Result>): BulkDone<Result> {
  const [failure, ...others] = all.failures
  if (failure === undefined || others.length + all.results.length > 0) return all
  throw new HoldfastError(failure.code, failure.message, { waysOut: waysOutOf(failure.ways_out) })
}

/** Prints each failure. Returns the exit code of the worst one; 0 without failures. */
export function failureCode(all: BulkDone<unknown>, context: Context): number {
  sayFailures(all, context)
  return Math.max(0, ...all.failures.map(({ code }) => errorCatalogue[code]?.exit ?? 2))
}

function sayFailures({ failures }: BulkDone<unknown>, { json, say }: Context): void {
  if (!json) for (const failure of failures) say(failureLine(failure))
}

function failureLine({ session_id, code, message, ways_out }: BulkFailureJson): string {
  const instead = waysOutText(waysOutOf(ways_out))
  return `Failed: ${session_id}: ${message} (${code})${instead === '' ? '' : `; ${instead}`}`
}

async function* linesOf<Line>(chunks: AsyncIterable<Buffer>, home: string): AsyncGenerator<Line> {
  let begun = ''
  for await (const chunk of withPatience(chunks, home)) {
    const { lines, rest } = wholeLines(begun + chunk.toString())
    begun = rest
    for (const line of lines) yield JSON.parse(line) as Line
  }
}

async function* withPatience(chunks: AsyncIterable<Buffer>, home: string): AsyncGenerator<Buffer> {
  const reader = chunks[Symbol.asyncIterator]()
  for (;;) {
    let impatience: NodeJS.Timeout | undefined
    const silence = new Promise<never>((_, reject) => {
      impatience = setTimeout(() => reject(silentDaemon(home)), PATIENCE_MS)
    })
    const { value, done } = await Promise.race([reader.next(), silence]).finally(() =>
      clearTimeout(impatience),
    )
    if (done) return
    yield value
  }
}
