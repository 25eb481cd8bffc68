import { spawnSync } from 'node:child_process'
import { appendFileSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { WhyJson } from '../../src/protocol/json/recovery-json.ts'
import {
  agentPid,
  anotherAgent,
  letGoOn,
  nothingIsLeft,
  recovering,
  TWO_STEPS,
  textIn,
  toldOnce,
  untilStep,
} from '../helpers/faults.ts'
import { isAlive } from '../helpers/is-alive.ts'
import { childNames, parentOf } from '../helpers/process-tree.ts'
import { waitFor } from '../helpers/wait-for.ts'
import type { World } from '../helpers/world.ts'

const run = (...argv: string[]) => spawnSync(argv[0]!, argv.slice(1)).status === 0
const mayMount =
  process.getuid?.() === 0 &&
  run('sh', '-c', 'd=$(mktemp -d) && mount -t tmpfs none $d && umount $d && rmdir $d')
if (!mayMount)
  console.warn('faults-disk: mounting a small tmpfs is not allowed here, so a full disk is not tested')

async function onSmallDisk(): Promise<World> {
  const world = await recovering()
  mkdirSync(world.home, { mode: 0o700 })
  expect(run('mount', '-t', 'tmpfs', '-o', 'size=8m,mode=0700', 'none', world.home)).toBe(true)
  onTestFinished(() => void run('umount', '-l', world.home))
  return world
}

/** To the last byte. Returns how to make room again. */
function fill(world: World): () => void {
  const ballast = join(world.home, 'ballast')
  for (const bytes of [4096, 1]) {
    try {
      for (;;) appendFileSync(ballast, Buffer.alloc(bytes))
    } catch (error) {
      expect(error).toMatchObject({ code: 'ENOSPC' })
    }
  }
  return () => rmSync(ballast)
}

async function goesOn(world: World, id: string, killed: number): Promise<void> {
  await anotherAgent(world, id, killed)
  letGoOn(world)
  await world.untilStatus(id, 'COMPLETED')
  expect(textIn(world, 'done.txt')).toBe('one\ntwo\n')
  toldOnce(world, 1)
  await nothingIsLeft(world)
}

test.skipIf(!mayMount)(
  'an agent that dies while the disk is full is resumed when there is room again',
  { timeout: 60_000 },
  async () => {
    const world = await onSmallDisk()
    const id = await world.run(TWO_STEPS)
    await untilStep(world, 'one\n')
    const pid = await agentPid(world, id)
    const makeRoom = fill(world)
    process.kill(pid, 'SIGKILL')
    await waitFor('it to be gone', () => !isAlive(pid))
    const refused = await world.cli(['run', 'do: finish no'])
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('DISK_FULL') })
    makeRoom()
    await goesOn(world, id, pid)
  },
)

test.skipIf(!mayMount)(
  'an agent that fails because the disk is full waits for room, and spends no retry',
  { timeout: 60_000 },
  async () => {
    const world = await onSmallDisk()
    // More than fits into what is left of a page.
    const long = 'x'.repeat(9000)
    const id = await world.run(`do: say before\ndo: wait-for go\ndo: say ${long}\ndo: finish done`)
    await waitFor('it to speak', async () => (await world.ok(['logs', id])).includes('before'))
    const pid = await agentPid(world, id)
    const keeper = parentOf(pid)
    const makeRoom = fill(world)
    letGoOn(world)
    await waitFor('its keeper to have no room for the record', () => childNames(keeper).includes('sleep'))
    makeRoom()
    await world.untilStatus(id, 'COMPLETED', 40_000)
    const { story } = await world.json<WhyJson>(['why', id])
    expect(story.find(({ event }) => event === 'parked')).toMatchObject({
      reason: 'the disk was full when it ended (exited with code 1)',
      evidence: [{ fact: 'code 1, written late: the disk was full' }, { fact: 'failure: environment' }],
    })
    expect(await world.status(id)).toMatchObject({ retries: 0 })
  },
)

test.skipIf(!mayMount)(
  'a daemon killed while the disk is full comes back when there is room, and misses nothing',
  { timeout: 60_000 },
  async () => {
    const world = await onSmallDisk()
    const id = await world.run(TWO_STEPS)
    await untilStep(world, 'one\n')
    const pid = await agentPid(world, id)
    const makeRoom = fill(world)
    process.kill(pid, 'SIGKILL')
    await world.killDaemon()
    await world.cli(['list'])
    makeRoom()
    await world.ok(['list'])
    await goesOn(world, id, pid)
  },
)
