import { isatty } from 'node:tty'
import { HoldfastError } from '../../../domain/errors.ts'
import { daemonEnv } from '../../../domain/run/caller-environment.ts'
import type { TaskDetailJson } from '../../../protocol/task-json.ts'
import { runInherited } from '../../../system/processes/exec.ts'
import type { InputOf } from '../../commands.ts'
import type { Context } from '../../context.ts'
import { ignoreInterrupt } from '../../interrupt.ts'

const NOT_FOUND = 127

export async function attach({ args, options }: InputOf<'attach'>, context: Context): Promise<number> {
  if (!isatty(0) || !isatty(1))
    throw new HoldfastError(
      'USAGE',
      'attach needs a terminal; `holdfast screen <id>` prints the screen without one.',
    )
  const daemon = context.daemon()
  const task = await daemon.call('GET /api/tasks/:id', { id: args.id })
  checkActive(task)
  const { tmux_socket } = await daemon.call('GET /api/health')
  const { entries } = await daemon.call('GET /api/config', { query: { dir: task.project } })
  const tmux = entries.find(({ key }) => key === 'tmux.path')?.value
  context.say(`Attaching to session: ${task.session_id}`)
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
  const exit = await runInherited([...argv, '-t', `=${task.tmux_session}`], { env: daemonEnv(context.env) })
  if (exit === NOT_FOUND) throw new HoldfastError('TMUX_MISSING', 'tmux required (install: apt install tmux)')
  if (exit !== 0) throw new HoldfastError('TMUX_UNAVAILABLE', `tmux could not attach to ${task.session_id}.`)
  return 0
}

function checkActive({ session_id, status, task_status, completed_at, tmux_active }: TaskDetailJson): void {
  if (task_status === 'pending' || completed_at !== null)
    throw new HoldfastError(
      'TASK_NOT_ACTIVE',
      `Session not active (status: ${status}${task_status === 'pending' ? ', queued' : ''})`,
    )
  if (!tmux_active)
    throw new HoldfastError(
      'TMUX_UNAVAILABLE',
      `Session ${session_id} has no terminal now; follow it with \`holdfast logs -f ${session_id}\`.`,
    )
}
