import { HoldfastError } from '../../domain/errors.ts'
import type { KilledJson } from '../../protocol/api.ts'
import type { TaskJson } from '../../protocol/task-json.ts'
import { ask, isYes } from '../ask.ts'
import type { DaemonClient } from '../client.ts'
import type { InputOf } from '../commands.ts'
import type { Context } from '../context.ts'
import { currentProject } from '../current-project.ts'

/** A kill that takes longer is waiting for the agent to leave by itself. */
const TELL_AFTER_MS = 500

export async function kill(input: InputOf<'kill'>, context: Context): Promise<number> {
  const daemon = context.daemon()
  const tasks = await chosen(input, context, daemon)
  const alive = tasks.filter(({ completed_at }) => completed_at === null)
  if (alive.length > 0 && !input.options.force && !(await confirmed(alive, context))) {
    context.say('Nothing was killed.')
    return 0
  }
  const { reason } = input.options
  const outcomes = await Promise.allSettled(tasks.map((task) => end(task, reason, daemon, context)))
  const failed = outcomes.find((outcome) => outcome.status === 'rejected')
  if (failed !== undefined) throw failed.reason
  const results = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []))
  if (context.json) context.show({ results }, () => [])
  else if (results.length === 0) context.out('No active sessions')
  return 0
}

/** All of them are looked up before the first one is touched. */
async function chosen(
  { args, options }: InputOf<'kill'>,
  context: Context,
  daemon: DaemonClient,
): Promise<TaskJson[]> {
  if (options.all === args.id.length > 0)
    throw new HoldfastError('USAGE', 'Say which sessions: `holdfast kill <id>…` or `holdfast kill --all`.')
  if (!options.all) {
    if (options['project-only']) throw new HoldfastError('USAGE', '--project-only goes with --all.')
    const found = await Promise.all(args.id.map((id) => daemon.call('GET /api/tasks/:id', { id })))
    return [...new Map(found.map((task) => [task.session_id, task])).values()]
  }
  const { tasks } = await daemon.call('GET /api/tasks/active')
  if (!options['project-only']) return tasks
  const project = await currentProject(context.path(), daemon)
  return tasks.filter((task) => task.project === project)
}

async function confirmed(tasks: readonly TaskJson[], context: Context): Promise<boolean> {
  if (!context.canAsk())
    throw new HoldfastError(
      'CONFIRMATION_NEEDED',
      'Ending a session needs a yes, and there is no terminal to ask on.',
    )
  if (tasks.length === 1) return isYes(await ask(`Kill session ${tasks[0]!.session_id}? [y/N]: `))
  for (const { session_id } of tasks) context.say(`  ${session_id}`)
  return isYes(await ask(`Kill ${tasks.length} sessions? [y/N]: `))
}

async function end(
  { session_id: id }: TaskJson,
  reason: string | undefined,
  daemon: DaemonClient,
  { json, out, say }: Context,
): Promise<KilledJson> {
  const telling = setTimeout(() => {
    if (!json) say(`Waiting for ${id} to end…`)
  }, TELL_AFTER_MS)
  try {
    const killed = await daemon.call('POST /api/tasks/:id/kill', { id, body: { reason } })
    if (!json) out(outcome(killed))
    return killed
  } finally {
    clearTimeout(telling)
  }
}

const outcome = ({ already_ended, task }: KilledJson) =>
  already_ended ? `Session already terminated (status: ${task.status})` : `Session killed: ${task.session_id}`
