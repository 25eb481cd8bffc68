import { waitFor } from './wait-for.ts'
import type { World } from './world.ts'

/** Its server dies three times within a moment. */
export async function wearOut(world: World): Promise<void> {
  for (let death = 1; death <= 3; death++) {
    const pid = await waitFor('a server', () => world.tmuxPid().catch(() => undefined))
    process.kill(pid, 'SIGKILL')
    await waitFor(`death ${death} to be handled`, async () => {
      const now = await world.tmuxPid().catch(() => undefined)
      return death < 3 ? now !== undefined && now !== pid : (await health(world)) === 'given_up'
    })
  }
}

export const health = async (world: World) => (await world.health()).tmux
