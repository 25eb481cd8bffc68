import { waitFor } from './wait-for.ts'
import type { World } from './world.ts'

/** Its server dies again and again within a moment, until the daemon gives it up. */
export async function wearOut(world: World): Promise<void> {
  const isGivenUp = async () => (await health(world)) === 'given_up'
  const pidOf = () => world.tmuxPid().catch(() => undefined)
  while (!(await isGivenUp())) {
    const pid = await waitFor('a server', pidOf)
    process.kill(pid, 'SIGKILL')
    // A death counts only when the daemon has seen the server alive.
    await waitFor(
      'its death to be handled',
      async () => (await isGivenUp()) || ((await health(world)) === 'up' && isOther(await pidOf(), pid)),
    )
  }
}

const isOther = (now: number | undefined, before: number) => now !== undefined && now !== before

export const health = async (world: World) => (await world.health()).tmux
