import { daemonEnv } from '../../domain/caller-environment.ts'
import { HoldfastError } from '../../domain/errors.ts'
import type { HealthJson } from '../../protocol/api.ts'
import { runInherited } from '../../system/exec.ts'
import type { InputOf } from '../commands.ts'
import type { Context } from '../context.ts'
import { daemonScript } from '../daemon-script.ts'
import { ignoreInterrupt } from '../interrupt.ts'
import { runningHealth } from '../running-health.ts'

const LOCK_HELD_EXIT = 75

export async function up({ options }: InputOf<'up'>, context: Context): Promise<number> {
  const running = await runningHealth(context)
  if (running !== undefined) return report(running, false, context)
  if (options.foreground) return await foreground(context)
  return report(await context.daemon().call('GET /api/health'), true, context)
}

function report(health: HealthJson, started: boolean, { show }: Context): number {
  const { pid, version, home, tmux } = health
  const verb = started ? 'started' : 'is running'
  const trouble =
    tmux === 'up' ? [] : [`tmux is ${tmux.replace('_', ' ')}; running tasks go on, new ones wait.`]
  show({ started, ...health }, () => [
    `Daemon ${verb}: pid ${pid}, version ${version}, home ${home}`,
    ...trouble,
  ])
  return 0
}

/** Ctrl-C reaches the daemon as well; it stops in order, and we end with it. */
async function foreground({ home, env }: Context): Promise<number> {
  ignoreInterrupt()
  const exit = await runInherited([process.execPath, daemonScript(), '--home', home], { env: daemonEnv(env) })
  if (exit === LOCK_HELD_EXIT) throw new HoldfastError('DAEMON_SILENT', `Another daemon holds ${home}.`)
  if (exit !== 0) throw new HoldfastError('DAEMON_UNREACHABLE', `The daemon ended with exit code ${exit}.`)
  return 0
}
