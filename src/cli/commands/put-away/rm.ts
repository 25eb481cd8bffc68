// Owns removing sessions for good: by name, or all that are old.
import { HoldfastError } from '../../../domain/errors.ts'
import type { RemoveManyJson } from '../../../protocol/json/bulk-json.ts'
import type { RemovedJson } from '../../../protocol/json/order-json.ts'
import { ask, isYes } from '../../ask.ts'
import type { InputOf } from '../../commands.ts'
import type { Context } from '../../context.ts'
import { oneLine } from '../../render/print/cells.ts'
import { elapsed } from '../../render/print/time.ts'
import { bulkOrder, failureCode } from '../../waiting/bulk-order.ts'

/** Above this number of sessions, only the number is printed. */
const MOST_LISTED = 10

export async function rm({ args, options }: InputOf<'rm'>, context: Context): Promise<number> {
  const daemon = context.daemon()
  // All sessions must be found before the first one is removed.
  const found = await Promise.all(args.id.map((id) => daemon.call('GET /api/tasks/:id', { id })))
  const tasks = [...new Map(found.map((task) => [task.session_id, task])).values()]
  const shown = tasks.map(({ session_id, title }) => `  ${session_id}  ${oneLine(title)}`)
  const what = tasks.length === 1 ? 'this session' : `these ${tasks.length} sessions`
  if (!options.force && !(await confirmed([...shown, `Remove ${what}`], context)))
    return sayNothingRemoved(context)
  return await remove({ ids: tasks.map(({ session_id }) => session_id) }, context)
}

export async function prune({ options }: InputOf<'prune'>, context: Context): Promise<number> {
  const seconds = options['older-than']
  if (seconds === undefined || seconds === null)
    throw new HoldfastError('USAGE', 'Say how old: `holdfast prune --older-than 30d`.')
  const body = { older_than_seconds: seconds }
  const { count } = await context.daemon().call('POST /api/tasks/removable', { body })
  const what = `${count} ${count === 1 ? 'session' : 'sessions'} that ended more than ${elapsed(seconds)} ago`
  if (options['dry-run']) {
    context.show({ count }, () => [`Would remove ${what}`])
    return 0
  }
  if (count > 0 && !options.force && !(await confirmed([`Remove ${what}`], context)))
    return sayNothingRemoved(context)
  return await remove(body, context)
}

async function remove(body: RemoveManyJson, context: Context): Promise<number> {
  const answer = context.daemon().stream('POST /api/tasks/remove', { body })
  const done = await bulkOrder<RemovedJson>(answer, { doing: 'Removing', done: 'removed' }, context)
  const removed = done.results.map((result) => result.removed)
  context.show({ removed, failures: done.failures }, () => {
    if (removed.length === 0)
      return [done.failures.length === 0 ? 'Nothing to remove' : 'No session was removed']
    if (removed.length > MOST_LISTED) return [`${removed.length} sessions removed`]
    return removed.map(({ session_id }) => `Session removed: ${session_id}`)
  })
  return failureCode(done, context)
}

function sayNothingRemoved({ say }: Context): number {
  say('Nothing was removed.')
  return 0
}

async function confirmed(lines: readonly string[], context: Context): Promise<boolean> {
  if (!context.canAsk())
    throw new HoldfastError(
      'CONFIRMATION_NEEDED',
      'Removing sessions needs a confirmation, and there is no terminal to ask you in.',
    )
  for (const line of lines.slice(0, -1)) context.say(line)
  return isYes(await ask(`${lines.at(-1)}, with all files and logs? [y/N]: `))
}
