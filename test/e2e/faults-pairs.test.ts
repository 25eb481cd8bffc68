// Any two of those who serve a task are killed in the same instant: it goes on where it was, is told its prompt once,
// does everything once, and leaves nothing behind.
import { expect, test } from 'vitest'
import {
  agentPid,
  anotherAgent,
  controlClientPid,
  keeperPid,
  letGoOn,
  nothingIsLeft,
  recovering,
  TWO_STEPS,
  textIn,
  toldOnce,
  untilPhase,
  untilStep,
} from '../helpers/faults.ts'
import { isAlive } from '../helpers/is-alive.ts'
import { waitFor } from '../helpers/wait-for.ts'
import { signal, type World } from '../helpers/world.ts'

const victims = {
  agent: agentPid,
  keeper: async (world: World) => keeperPid(world),
  daemon: async (world: World) => world.daemonPid(),
  'tmux server': (world: World) => world.tmuxPid(),
  'control client': async (world: World) => controlClientPid(world),
} satisfies Record<string, (world: World, id: string) => Promise<number>>
type Victim = keyof typeof victims

const names = Object.keys(victims) as Victim[]
const pairs = names.flatMap((one, at) => names.slice(at + 1).map((other): [Victim, Victim] => [one, other]))

async function killAtOnce(world: World, id: string, pair: readonly Victim[]): Promise<void> {
  const pids: number[] = []
  for (const name of pair) pids.push(await victims[name](world, id))
  for (const pid of pids) signal(pid, 'SIGKILL')
  await waitFor('both to be gone', () => !pids.some(isAlive))
}

test.each(pairs)(
  'a headless task goes on and is done once when its %s and its %s are killed at once',
  { timeout: 60_000 },
  async (...pair) => {
    const world = await recovering()
    const id = await world.run(TWO_STEPS)
    await untilStep(world, 'one\n')
    const before = await agentPid(world, id)
    await killAtOnce(world, id, pair)
    const died = pair.includes('agent')
    if (died) await anotherAgent(world, id, before)
    else expect(await agentPid(world, id)).toBe(before)
    letGoOn(world)
    expect(await world.untilStatus(id, 'COMPLETED', 30_000)).toMatchObject({ reason: 'the agent finished' })
    expect(textIn(world, 'done.txt')).toBe('one\ntwo\n')
    toldOnce(world, died ? 1 : 0)
    await nothingIsLeft(world)
  },
)

test.each<[Victim, Victim]>([
  ['agent', 'daemon'],
  ['daemon', 'tmux server'],
  ['agent', 'control client'],
  ['agent', 'tmux server'],
])(
  'an interactive task goes on and is done once when its %s and its %s are killed at once',
  { timeout: 60_000 },
  async (...pair) => {
    const world = await recovering()
    const id = await world.run(TWO_STEPS, '--mode', 'interactive')
    await untilStep(world, 'one\n')
    const before = await agentPid(world, id)
    await killAtOnce(world, id, pair)
    await anotherAgent(world, id, before)
    letGoOn(world)
    await untilPhase(world, id, 'idle')
    expect(textIn(world, 'done.txt')).toBe('one\ntwo\n')
    toldOnce(world, 1)
    await world.ok(['kill', id, '--force'])
    await nothingIsLeft(world)
  },
)
