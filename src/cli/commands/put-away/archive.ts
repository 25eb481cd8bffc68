import { HoldfastError } from '../../../domain/errors.ts'
import type { ArchiveManyJson } from '../../../protocol/json/bulk-json.ts'
import type { ArchivedJson } from '../../../protocol/json/order-json.ts'
import type { InputOf } from '../../commands.ts'
import type { Context } from '../../context.ts'
import { bulkOrder, failureCode } from '../../waiting/bulk-order.ts'

/** Above this number of sessions, only the number is printed. */
const MOST_LISTED = 10

export async function archive(input: InputOf<'archive'>, context: Context): Promise<number> {
  const body = orderOf(input)
  const answer = context.daemon().stream('POST /api/tasks/archive', { body })
  const done = await bulkOrder<ArchivedJson>(answer, { doing: 'Archiving', done: 'archived' }, context)
  context.show(done, () => outcome(done.results, done.failures.length))
  return failureCode(done, context)
}

function orderOf({ args, options }: InputOf<'archive'>): ArchiveManyJson {
  const seconds = options['older-than']
  if ((seconds === undefined) === (args.id.length === 0))
    throw new HoldfastError(
      'USAGE',
      'Say which sessions: `holdfast archive <id>…` or `holdfast archive --older-than 24h`.',
    )
  if (seconds === null) throw new HoldfastError('USAGE', '--older-than takes a duration such as 24h.')
  return seconds === undefined ? { ids: [...args.id] } : { older_than_seconds: seconds }
}

function outcome(results: readonly ArchivedJson[], failed: number): string[] {
  if (results.length === 0) return failed === 0 ? ['Nothing to archive'] : ['No session was archived']
  if (results.length <= MOST_LISTED) return results.map(resultLine)
  const before = results.filter(({ already_archived }) => already_archived).length
  return [
    `${results.length - before} sessions archived${before === 0 ? '' : `, ${before} were already archived`}`,
  ]
}

const resultLine = ({ already_archived, task }: ArchivedJson) =>
  already_archived ? `Session already archived: ${task.session_id}` : `Session archived: ${task.session_id}`
