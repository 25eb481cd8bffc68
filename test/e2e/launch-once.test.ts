// A launch happens at most once: the tmux server is stopped with new-session queued, and things die in every order.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { isAlive } from '../helpers/is-alive.ts'
import { waitFor } from '../helpers/wait-for.ts'
import { startWorld, type World } from '../helpers/world.ts'

const SCRIPT = 'do: append beat.txt x\ndo: wait 0.3\ndo: finish once'

async function launchIntoStoppedServer() {
  const world = await startWorld({ config: 'launch.grace: 3s\nreconcile.interval: 200ms\n' })
  await world.ok(['up'])
  const tmux = await world.tmuxPid()
  process.kill(tmux, 'SIGSTOP')
  const id = await world.run(SCRIPT)
  await waitFor('the launch to be under way', () => runDirectories(world).length > 0)
  return { world, tmux, id }
}

const runDirectories = (world: World) =>
  readdirSync(join(world.home, 'runs')).filter((name) => !name.startsWith('.'))

/** Nothing is there while one daemon has gone and the next has not come. */
function isAnother(world: World, before: number): boolean {
  try {
    return world.daemonPid() !== before && isAlive(world.daemonPid())
  } catch {
    return false
  }
}

async function endsOnce(world: World, id: string) {
  expect(await world.untilStatus(id, 'COMPLETED', 25_000)).toMatchObject({ exit_code: 0 })
  expect(world.heard().map(({ heard }) => heard)).toEqual([SCRIPT])
  expect(readFileSync(join(world.project, 'beat.txt'), 'utf8')).toBe('x\n')
  const launches = (await world.ok(['logs', id, '--session'])).split('Agent started').length - 1
  expect(launches).toBeLessThanOrEqual(1)
}

const orders: Record<string, (world: World, tmux: number) => Promise<void>> = {
  'daemon killed, server continued, daemon restarted': async (world, tmux) => {
    await world.killDaemon()
    process.kill(tmux, 'SIGCONT')
    await world.cli(['up'])
  },
  'daemon killed, daemon restarted, server continued': async (world, tmux) => {
    const before = world.daemonPid()
    await world.killDaemon()
    const starting = world.cli(['up'])
    await waitFor('the next daemon', () => isAnother(world, before))
    process.kill(tmux, 'SIGCONT')
    await starting
  },
  'server continued, daemon killed at once, daemon restarted': async (world, tmux) => {
    process.kill(tmux, 'SIGCONT')
    await world.killDaemon()
    await world.cli(['up'])
  },
  'server continued after the claim was settled, nobody killed': async (world, tmux) => {
    await waitFor('the daemon to settle the claim', async () =>
      runDirectories(world).some((run) => readdirSync(join(world.home, 'runs', run)).includes('claim')),
    )
    process.kill(tmux, 'SIGCONT')
  },
  'server killed while stopped, daemon killed, daemon restarted': async (world, tmux) => {
    await world.killDaemon()
    process.kill(tmux, 'SIGKILL')
    await world.cli(['up'])
  },
}

test.each(Object.keys(orders))('%s: exactly one agent hears the prompt', async (order) => {
  const { world, tmux, id } = await launchIntoStoppedServer()
  await orders[order]!(world, tmux)
  await endsOnce(world, id)
})
