import { HoldfastError } from '../../domain/errors.ts'
import type { ArchivedJson } from '../../protocol/api.ts'
import type { DaemonClient } from '../client.ts'
import type { InputOf } from '../commands.ts'
import type { Context } from '../context.ts'

export async function archive(input: InputOf<'archive'>, context: Context): Promise<number> {
  const results = await archived(input, context.daemon())
  context.show({ results }, () => (results.length === 0 ? ['Nothing to archive'] : results.map(outcome)))
  return 0
}

async function archived(
  { args, options }: InputOf<'archive'>,
  daemon: DaemonClient,
): Promise<readonly ArchivedJson[]> {
  const seconds = options['older-than']
  if ((seconds === undefined) === (args.id.length === 0))
    throw new HoldfastError(
      'USAGE',
      'Say which: `holdfast archive <id>…` or `holdfast archive --older-than 24h`.',
    )
  if (seconds === null) throw new HoldfastError('USAGE', '--older-than takes a duration such as 24h.')
  if (seconds !== undefined)
    return (await daemon.call('POST /api/tasks/archive', { body: { older_than_seconds: seconds } })).results
  // All of them are looked up before the first one is touched.
  const found = await Promise.all(args.id.map((id) => daemon.call('GET /api/tasks/:id', { id })))
  const ids = [...new Set(found.map(({ session_id }) => session_id))]
  const results: ArchivedJson[] = []
  for (const id of ids) results.push(await daemon.call('POST /api/tasks/:id/archive', { id }))
  return results
}

const outcome = ({ already_archived, task }: ArchivedJson) =>
  already_archived ? `Session already archived: ${task.session_id}` : `Session archived: ${task.session_id}`
