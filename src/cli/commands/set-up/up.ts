import { HoldfastError } from '../../../domain/errors.ts'
import { daemonEnv } from '../../../domain/run/caller-environment.ts'
import type { HealthJson } from '../../../protocol/json/daemon-json.ts'
import { runInherited } from '../../../system/processes/exec.ts'
import { daemonArguments } from '../../../system/service/daemon-arguments.ts'
import type { InputOf } from '../../commands.ts'
import type { Context } from '../../context.ts'
import { ignoreInterrupt } from '../../interrupt.ts'
import { outageLines } from '../../render/text/outage-text.ts'
import { runningHealth } from '../../starting/running-health.ts'
import { isPerson } from '../../wire/caller.ts'
import { daemonScript } from '../../wire/daemon-script.ts'

const LOCK_HELD_EXIT = 75

export async function up({ options }: InputOf<'up'>, context: Context): Promise<number> {
  const running = await runningHealth(context)
  if (running !== undefined) return report(await withTmux(running, context), false, context)
  if (options.foreground) return await foreground(context)
  return report(await context.daemon().call('GET /api/health'), true, context)
}

/** A person who runs `up` does not want to wait for the next try to start tmux. */
const withTmux = async (health: HealthJson, context: Context) =>
  health.tmux === 'up' ? health : await context.daemon().call('POST /api/tmux/try')

function report(health: HealthJson, started: boolean, { show }: Context): number {
  const { pid, version, home, tmux_outage } = health
  const verb = started ? 'started' : 'is running'
  const trouble =
    tmux_outage === null
      ? []
      : [
          ...outageLines(tmux_outage, Date.now()),
          '  Sessions that need no terminal start and go on as usual.',
        ]
  show({ started, ...health }, () => [
    `Daemon ${verb}: pid ${pid}, version ${version}, home ${home}`,
    ...trouble,
  ])
  return 0
}

/** Ctrl-C reaches the daemon, too: it stops properly, and then we end. */
async function foreground({ home, env }: Context): Promise<number> {
  if (!isPerson(env))
    throw new HoldfastError(
      'NO_DAEMON_FOR_RUN',
      `No daemon is running for ${home}, and a run may not start one.`,
    )
  ignoreInterrupt()
  const exit = await runInherited([process.execPath, ...daemonArguments(daemonScript(), home)], {
    env: daemonEnv(env),
  })
  if (exit === LOCK_HELD_EXIT)
    throw new HoldfastError('DAEMON_SILENT', `Another daemon holds the lock of ${home}.`)
  if (exit !== 0) throw new HoldfastError('DAEMON_UNREACHABLE', `The daemon ended with exit code ${exit}.`)
  return 0
}
