// Owns that a tool which only waits outlives a restart of the daemon: asking again changes nothing.
import { setTimeout as pause } from 'node:timers/promises'
import { isHoldfastError } from '../../domain/errors.ts'
import type { ToolWorld } from '../tool.ts'

const AGAIN_AFTER_MS = 500
/** A daemon that cannot be started is not asked for ever. */
const MOST_TRIES = 5

/** `ask` is given how many seconds are left of `seconds`. */
export async function askAgainIfCut<T>(
  ask: (left: number) => Promise<T>,
  seconds: number,
  world: Pick<ToolWorld, 'monotonic'>,
): Promise<T> {
  const deadline = world.monotonic() + seconds * 1000
  for (let tries = 1; ; tries++) {
    const left = Math.max(0, deadline - world.monotonic()) / 1000
    try {
      return await ask(left)
    } catch (error) {
      if (!isHoldfastError(error, 'DAEMON_UNREACHABLE') || tries === MOST_TRIES) throw error
      await pause(AGAIN_AFTER_MS)
    }
  }
}
