import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { InputOf } from '../commands.ts'
import type { Context } from '../context.ts'
import { brokeOff } from '../daemon-error.ts'
import { silentDaemon } from '../daemon-holder.ts'
import { runningHealth } from '../running-health.ts'

const GONE_WITHIN_MS = 15_000

export async function down(_input: InputOf<'down'>, context: Context): Promise<number> {
  const health = await runningHealth(context)
  if (health === undefined) {
    context.show({ stopped: false }, () => ['Daemon is not running'])
    return 0
  }
  const { pid, stats } = health
  await context
    .runningDaemon()
    .call('POST /api/shutdown')
    .catch((error) => {
      if (!brokeOff(error)) throw error
    })
  await untilGone(pid, context.home)
  const going = stats.running + stats.waiting_input
  const rest = going === 0 ? '' : `; ${going} running ${going === 1 ? 'session goes' : 'sessions go'} on`
  context.show({ stopped: true, pid, running: going }, () => [`Daemon stopped: pid ${pid}${rest}`])
  return 0
}

async function untilGone(pid: number, home: string): Promise<void> {
  const deadline = performance.now() + GONE_WITHIN_MS
  while (!isGone(pid)) {
    if (performance.now() > deadline) throw silentDaemon(home, pid)
    await sleep(20)
  }
}

/** A zombie is gone too: it only waits to be counted. */
function isGone(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return /\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'latin1'))
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    // No /proc on this system, but the signal found somebody.
    return code === 'ESRCH' || (code === 'ENOENT' && process.platform === 'linux')
  }
}
