import type { InputOf } from '../commands.ts'
import type { Context } from '../context.ts'
import { stopDaemon } from '../stop-daemon.ts'

export async function down(_input: InputOf<'down'>, context: Context): Promise<number> {
  const stopped = await stopDaemon(context)
  if (stopped === undefined) {
    context.show({ stopped: false }, () => ['Daemon is not running'])
    return 0
  }
  const { pid, stats } = stopped
  const going = stats.running + stats.waiting_input
  const rest = going === 0 ? '' : `; ${going} running ${going === 1 ? 'session goes' : 'sessions go'} on`
  context.show({ stopped: true, pid, running: going }, () => [`Daemon stopped: pid ${pid}${rest}`])
  return 0
}
