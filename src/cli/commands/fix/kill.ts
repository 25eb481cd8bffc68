import { HoldfastError } from '../../../domain/errors.ts'
import type { KillManyJson } from '../../../protocol/json/bulk-json.ts'
import type { KilledJson } from '../../../protocol/json/order-json.ts'
import { ask, isYes } from '../../ask.ts'
import type { InputOf } from '../../commands.ts'
import type { Context } from '../../context.ts'
import { bulkOrder, failureCode } from '../../waiting/bulk-order.ts'
import type { DaemonClient } from '../../wire/client.ts'
import { currentProject } from '../../wire/current-project.ts'

/** How many sessions are named before a person is asked to confirm. */
const MOST_NAMED = 20
/** Above this number of sessions, only the number is printed. */
const MOST_LISTED = 10

/** Sessions that would be ended: how many, and the first of them. */
type Chosen = { readonly order: KillManyJson; readonly count: number; readonly some: readonly string[] }

export async function kill(input: InputOf<'kill'>, context: Context): Promise<number> {
  checkOptions(input)
  const daemon = context.daemon()
  const chosen = input.options.all
    ? await allActive(input, context, daemon)
    : await namedSessions(input, daemon)
  if (chosen.count > 0 && !input.options.force && !(await confirmed(chosen, context))) {
    context.say('Nothing was killed.')
    return 0
  }
  const body = { ...chosen.order, reason: input.options.reason }
  const words = { doing: 'Killing', done: 'killed' }
  const done = await bulkOrder<KilledJson>(daemon.stream('POST /api/tasks/kill', { body }), words, context)
  context.show(done, () => outcome(done.results, done.failures.length))
  return failureCode(done, context)
}

function checkOptions({ args, options }: InputOf<'kill'>): void {
  if (options.all === args.id.length > 0)
    throw new HoldfastError('USAGE', 'Say which sessions: `holdfast kill <id>…` or `holdfast kill --all`.')
  if (!options.all && options['project-only'])
    throw new HoldfastError('USAGE', '--project-only can only be used together with --all.')
}

/** Counted only to ask the person. The daemon finds out which sessions have ended or begun meanwhile. */
async function allActive(
  { options }: InputOf<'kill'>,
  context: Context,
  daemon: DaemonClient,
): Promise<Chosen> {
  const project = options['project-only'] ? await currentProject(context.path(), daemon) : undefined
  if (options.force) return { order: { project }, count: 0, some: [] }
  const { tasks, totals } = await daemon.call('GET /api/tasks/active', { query: { project } })
  const some = tasks.map(({ session_id }) => session_id)
  return { order: { project }, count: totals?.total ?? some.length, some }
}

async function namedSessions({ args, options }: InputOf<'kill'>, daemon: DaemonClient): Promise<Chosen> {
  const ids = [...new Set(args.id)]
  if (options.force) return { order: { ids }, count: 0, some: [] }
  const found = new Map<string, boolean>()
  for (const id of ids) {
    const { session_id, completed_at } = await daemon.call('GET /api/tasks/:id', { id })
    found.set(session_id, completed_at === null)
  }
  const some = [...found].flatMap(([id, isAlive]) => (isAlive ? id : []))
  return { order: { ids: [...found.keys()] }, count: some.length, some }
}

async function confirmed({ count, some }: Chosen, context: Context): Promise<boolean> {
  if (!context.canAsk())
    throw new HoldfastError(
      'CONFIRMATION_NEEDED',
      'Killing sessions needs a confirmation, and there is no terminal to ask you in.',
    )
  if (count === 1) return isYes(await ask(`Kill session ${some[0]}? [y/N]: `))
  for (const id of some.slice(0, MOST_NAMED)) context.say(`  ${id}`)
  if (count > MOST_NAMED) context.say(`  … and ${count - MOST_NAMED} more`)
  return isYes(await ask(`Kill ${count} sessions? [y/N]: `))
}

function outcome(results: readonly KilledJson[], failed: number): string[] {
  if (results.length === 0) return failed === 0 ? ['No active sessions'] : ['No session was killed']
  if (results.length <= MOST_LISTED) return results.map(resultLine)
  const ended = results.filter(({ already_ended }) => already_ended).length
  return [`${results.length - ended} sessions killed${ended === 0 ? '' : `, ${ended} had ended already`}`]
}

const resultLine = ({ already_ended, task }: KilledJson) =>
  already_ended ? `Session already terminated (status: ${task.status})` : `Session killed: ${task.session_id}`
