// Nothing is complete with a prompt that nobody heard, whatever became of the files by which it is told.
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { agentPid, anotherAgent, letGoOn, recovering, textIn, untilPhase } from '../helpers/faults.ts'
import { waitFor } from '../helpers/wait-for.ts'
import type { World } from '../helpers/world.ts'

async function deleteRun(world: World, id: string): Promise<void> {
  const { run_id } = await world.status(id)
  rmSync(join(world.home, 'runs', run_id!), { recursive: true })
}

const wasTold = (world: World, words: string) =>
  world.heard().filter(({ heard }) => heard.includes(words)).length

test('a prompt sent when the run directory was deleted is heard, once', { timeout: 60_000 }, async () => {
  const world = await recovering()
  const id = await world.run('do: say ready', '--converse')
  await untilPhase(world, id, 'idle')
  const before = await agentPid(world, id)
  await deleteRun(world, id)
  await world.ok(['send', id, 'do: append done.txt two'])
  await anotherAgent(world, id, before)
  await waitFor('the second turn', () => textIn(world, 'done.txt') === 'two\n', 30_000)
  await untilPhase(world, id, 'idle')
  await world.ok(['send', id, '--end'])
  await world.untilStatus(id, 'COMPLETED', 30_000)
  expect([wasTold(world, 'say ready'), wasTold(world, 'done.txt two')]).toEqual([1, 1])
  expect(await world.ok(['why', id])).toMatch(/input file .*deleted or damaged/)
})

test('a prompt that waits for the end of a turn is heard, though the run directory was deleted meanwhile', {
  timeout: 60_000,
}, async () => {
  const world = await recovering()
  const id = await world.run('do: append done.txt one\ndo: wait-for go', '--converse')
  await waitFor('the first step', () => textIn(world, 'done.txt') === 'one\n', 30_000)
  await world.ok(['send', id, 'do: append done.txt two'])
  await deleteRun(world, id)
  letGoOn(world)
  await waitFor('the second turn', () => textIn(world, 'done.txt') === 'one\ntwo\n', 30_000)
  await untilPhase(world, id, 'idle')
  await world.ok(['send', id, '--end'])
  await world.untilStatus(id, 'COMPLETED', 30_000)
  expect(wasTold(world, 'done.txt two')).toBe(1)
})

/** Its input ends, and with it the agent: it exits with code 0. */
async function endInput(world: World, id: string): Promise<void> {
  const { run_id } = await world.status(id)
  const feeder = readFileSync(join(world.home, 'runs', run_id!, 'feeder'), 'utf8').split(' ')[0]
  process.kill(Number(feeder), 'SIGTERM')
}

const ENDS = {
  'exits with code 0': endInput,
  'is killed': async (world: World, id: string) => void process.kill(await agentPid(world, id), 'SIGKILL'),
}

test.each(Object.entries(ENDS))(
  'an agent that %s with a prompt unheard does not complete its task, and the next one hears it',
  {
    timeout: 60_000,
  },
  async (_, end) => {
    const world = await recovering()
    const id = await world.run('do: append done.txt one\ndo: wait-for go\ndo: finish whole', '--converse')
    await waitFor('the first step', () => textIn(world, 'done.txt') === 'one\n', 30_000)
    await world.ok(['send', id, 'do: append done.txt two'])
    const before = await agentPid(world, id)
    await end(world, id)
    await anotherAgent(world, id, before)
    letGoOn(world)
    await waitFor('the second turn', () => textIn(world, 'done.txt') === 'one\ntwo\n', 30_000)
    expect(await untilPhase(world, id, 'idle')).toMatchObject({ status: 'RUNNING', completed_at: null })
    expect(wasTold(world, 'done.txt two')).toBe(1)
  },
)
