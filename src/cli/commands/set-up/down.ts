import type { InputOf } from '../../commands.ts'
import type { Context } from '../../context.ts'
import { stopDaemon } from '../../starting/stop-daemon.ts'

export async function down(_input: InputOf<'down'>, context: Context): Promise<number> {
  const stopped = await stopDaemon(context)
  if (stopped === undefined) {
    context.show({ stopped: false }, () => ['Daemon is not running'])
    return 0
  }
  const { pid, health } = stopped
  const going = health === null ? null : health.stats.running + health.stats.waiting_input
  const rest = going ? `; ${going} running ${going === 1 ? 'session goes' : 'sessions go'} on` : ''
  context.show({ stopped: true, pid, running: going }, () => [`Daemon stopped: pid ${pid}${rest}`])
  return 0
}
