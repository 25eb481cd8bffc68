import { isatty } from 'node:tty'
import { HoldfastError, isHoldfastError } from '../../../domain/errors.ts'
import { daemonEnv } from '../../../domain/run/caller-environment.ts'
import { UP } from '../../../domain/runtime/machine.ts'
import { placeOfRuntime } from '../../../domain/runtime/names.ts'
import type { RuntimeJson } from '../../../protocol/json/runtime-json.ts'
import type { TaskDetailJson } from '../../../protocol/json/task-json.ts'
import { runInherited } from '../../../system/processes/exec.ts'
import type { InputOf } from '../../commands.ts'
import type { Context } from '../../context.ts'
import { ignoreInterrupt } from '../../interrupt.ts'
import { oneLine } from '../../render/print/cells.ts'
import { nextText, startCommand } from '../../render/text/next-text.ts'
import type { DaemonClient } from '../../wire/client.ts'

const NOT_FOUND = 127

export async function attach({ args, options }: InputOf<'attach'>, context: Context): Promise<number> {
  if (!isatty(0) || !isatty(1))
    throw new HoldfastError(
      'USAGE',
      'attach needs a terminal; `holdfast screen <id>` prints the screen without one.',
    )
  const daemon = context.daemon()
  const { id, name, project, target } = await whatIsMeant(args.id, daemon)
  const { tmux_socket } = await daemon.call('GET /api/health')
  const { entries } = await daemon.call('GET /api/config', { query: { dir: project } })
  const tmux = entries.find(({ key }) => key === 'tmux.path')?.value
  context.say(`Attaching to session: ${name}`)
  context.say('  Press Ctrl-B then D to detach')
  ignoreInterrupt()
  // -N: does not start a tmux server when there is none. `=`: exactly this name, not one that begins with it.
  const argv = [
    typeof tmux === 'string' ? tmux : 'tmux',
    '-N',
    '-S',
    tmux_socket,
    'attach-session',
    ...(options['read-only'] ? ['-r'] : []),
  ]
  const view = id === null ? [] : viewOfEnd(await rowsOutOfSight(id, daemon))
  const exit = await runInherited([...argv, '-t', target, ...view], { env: daemonEnv(context.env) })
  if (exit === NOT_FOUND) throw new HoldfastError('TMUX_MISSING', 'tmux required (install: apt install tmux)')
  if (exit !== 0) throw new HoldfastError('TMUX_UNAVAILABLE', `tmux could not attach to ${name}.`)
  return 0
}

/** How many rows of the agent's screen are below the last row of this terminal, of which tmux has one. */
async function rowsOutOfSight(id: string, daemon: DaemonClient): Promise<number> {
  const { screen } = await daemon.call('GET /api/tasks/:id/screen', { id }).catch(() => ({ screen: '' }))
  return screen.trimEnd().split('\n').length - (process.stdout.rows - 1)
}

/**
 * Of a window that is larger than the terminal, tmux shows the part with the cursor, and the top where the cursor is hidden, as
 * agents hide it that draw their own. What is asked and typed stands at the end.
 */
const viewOfEnd = (rows: number): string[] =>
  rows > 0
    ? [';', 'if-shell', '-F', '#{&&:#{window_bigger},#{==:#{cursor_flag},0}}', `refresh-client -D ${rows}`]
    : []

type Meant = {
  /** Null: the terminals of several sessions. */
  readonly id: string | null
  readonly name: string
  readonly project: string
  readonly target: string
}

/** A session; or a workspace, with the windows of all its runtimes, of which the first that is up is shown. */
async function whatIsMeant(given: string, daemon: DaemonClient): Promise<Meant> {
  try {
    const task = await daemon.call('GET /api/tasks/:id', { id: given })
    checkActive(task)
    const { session_id: id, project } = task
    return { id, name: id, project, target: targetOf(task) }
  } catch (error) {
    const meant = isHoldfastError(error, 'TASK_NOT_FOUND') ? await workspaceNamed(given, daemon) : undefined
    if (meant === undefined) throw error
    return meant
  }
}

async function workspaceNamed(given: string, daemon: DaemonClient): Promise<Meant | undefined> {
  const { runtimes } = await daemon.call('GET /api/runtimes', { query: {} })
  const { workspaces } = await daemon.call('GET /api/workspaces')
  const workspace = workspaces.find(({ slug, id }) => slug === given || id === given)
  if (workspace === undefined) return undefined
  const { tmux_session: name, tmux_window } = oneThatIsUp(
    workspace.slug,
    runtimes.filter(({ workspace_id }) => workspace_id === workspace.id),
  )
  return { id: null, name, project: workspace.path, target: `=${name}:=${tmux_window}` }
}

/** One that has a process but is not up yet has a window, too. */
function oneThatIsUp(slug: string, runtimes: readonly RuntimeJson[]): RuntimeJson {
  const found = runtimes.find(({ state }) => UP.has(state)) ?? runtimes.find(({ pid }) => pid !== null)
  if (found !== undefined) return found
  const none = `No runtime of workspace ${slug} is up`
  const [first] = runtimes
  const coming = runtimes.find(({ wanted }) => wanted === 'up')
  if (coming !== undefined)
    throw new HoldfastError(
      'RUNTIME_NOT_READY',
      `${none}: ${coming.agent_id} is ${coming.state} (${coming.reason}).`,
    )
  throw first === undefined
    ? new HoldfastError('RUNTIME_NOT_FOUND', `${none}: start one with \`${startCommand(`<role>@${slug}`)}\`.`)
    : new HoldfastError('RUNTIME_STOPPED', `${none}: start one with \`${startCommand(first.agent_id)}\`.`)
}

/** A runtime shares its session with others: its window is the one to show. */
function targetOf({ tmux_session, runtime }: TaskDetailJson): string {
  const place = placeOfRuntime(runtime)
  return place === undefined ? `=${tmux_session}` : `=${tmux_session}:=${place.window}`
}

/** In these, a session may be without a process, and so without a terminal, though tmux is well. */
const WITHOUT_PROCESS: ReadonlySet<TaskDetailJson['phase']> = new Set([
  'asking',
  'stuck',
  'stopped_by_person',
  'backing_off',
  'parked',
  'waiting',
])

function checkActive(task: TaskDetailJson): void {
  const { session_id, status, task_status, completed_at, tmux_active, phase } = task
  if (task_status === 'pending' || completed_at !== null)
    throw new HoldfastError(
      'TASK_NOT_ACTIVE',
      `Session not active (status: ${status}${task_status === 'pending' ? ', queued' : ''})`,
    )
  if (!tmux_active && WITHOUT_PROCESS.has(phase))
    throw new HoldfastError(
      'TASK_NOT_ACTIVE',
      `Session ${session_id} has no terminal now. Next: ${oneLine(nextText(task, Date.now()))}`,
    )
  if (!tmux_active)
    throw new HoldfastError(
      'TMUX_UNAVAILABLE',
      `Session ${session_id} has no terminal now; follow it with \`holdfast logs -f ${session_id}\`.`,
    )
}
