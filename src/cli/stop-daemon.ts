// Owns stopping the daemon and seeing it gone. Agents go on.
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { HealthJson } from '../protocol/api.ts'
import type { Context } from './context.ts'
import { brokeOff } from './daemon-error.ts'
import { silentDaemon } from './daemon-holder.ts'
import { runningHealth } from './running-health.ts'

const GONE_WITHIN_MS = 15_000

/** What it told of itself before it stopped; undefined when none ran. */
export async function stopDaemon(context: Context): Promise<HealthJson | undefined> {
  const health = await runningHealth(context)
  if (health === undefined) return undefined
  await context
    .runningDaemon()
    .call('POST /api/shutdown')
    .catch((error) => {
      if (!brokeOff(error)) throw error
    })
  await untilGone(health.pid, context.home)
  return health
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
