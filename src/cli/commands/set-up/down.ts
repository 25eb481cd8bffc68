import type { InputOf } from '../../commands.ts'
import type { Context } from '../../context.ts'
import { stopDaemon } from '../../starting/stop-daemon.ts'

export async function down(_input: InputOf<'down'>, context: Context): Promise<number> {
  const stopped = await stopDaemon(context)
  if (stopped === undefined) {
    context.show({ stopped: false }, () => ['Daemon is not running'])
    return 0
  }
  const { pid, health, failure } = stopped
  // A daemon of an earlier version tells only of all sessions in its store.
  const own = health?.own_stats ?? health?.stats
  const going = own === undefined ? null : own.running + own.waiting_input
  const rest = going ? `; ${going} running ${going === 1 ? 'session goes' : 'sessions go'} on` : ''
  if (failure !== undefined) context.say(`Warning: ${failure.message} (${failure.code})`)
  const warning = failure?.message ?? null
  context.show({ stopped: true, pid, running: going, warning }, () => [`Daemon stopped: pid ${pid}${rest}`])
  return 0
}
