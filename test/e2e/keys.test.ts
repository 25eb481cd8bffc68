// Single keys that a person presses in an agent's terminal from afar, as with the key bar of the page.
import { expect, test } from 'vitest'
import { callerHeaders } from '../../src/cli/wire/caller.ts'
import { DaemonClient } from '../../src/cli/wire/client.ts'
import { homePaths } from '../../src/domain/names/home.ts'
import type { AuditPageJson } from '../../src/protocol/api.ts'
import { waitFor } from '../helpers/wait-for.ts'
import { startWorld, type World } from '../helpers/world.ts'

const untilPhase = (world: World, id: string, phase: string) =>
  waitFor(`${id} to be ${phase}`, async () => (await world.status(id)).phase === phase)

const keysIn = async (world: World, id: string) => {
  const page = (await world.json(['audit', '--task', id, '--kind', 'keys_pressed'])) as AuditPageJson
  return page.entries.map(({ detail }) => detail).reverse()
}

test('the arrows and Enter choose in a dialog, and the audit names each press', async () => {
  const world = await startWorld()
  const id = await world.run('do: ask Which colour? | red | blue\ndo: hang', '--mode', 'interactive')
  await untilPhase(world, id, 'asking')
  const press = (...keys: ('Down' | 'Enter')[]) =>
    world.daemon.call('POST /api/tasks/:id/keys', { id, body: { keys } })
  expect(await press('Down')).toEqual({ session_id: id, keys: ['Down'] })
  await press('Enter')
  await waitFor('the answer', async () => (await world.ok(['screen', id])).includes('blue'))
  await untilPhase(world, id, 'working')
  expect(await keysIn(world, id)).toEqual(['Down', 'Enter'])
})

test('keys need a person, an agent at work, and a terminal; other keys are refused', async () => {
  const world = await startWorld()
  const press = (id: string, key: string, asker = world.daemon) =>
    asker.call('POST /api/tasks/:id/keys', { id, body: { keys: [key as 'Enter'] } })
  const headless = await world.run('do: hang')
  await untilPhase(world, headless, 'working')
  await expect(press(headless, 'Enter')).rejects.toMatchObject({ code: 'AGENT_CANNOT' })
  const id = await world.run('do: hang', '--mode', 'interactive')
  await untilPhase(world, id, 'working')
  await expect(press(id, 'rm -rf')).rejects.toMatchObject({ code: 'INVALID_REQUEST' })
  const { run_id } = await world.status(id)
  const run = new DaemonClient({
    home: world.home,
    socket: homePaths(world.home).socket,
    headers: callerHeaders({ ...world.env, HOLDFAST_RUN: run_id! }),
    reach: async () => {},
  })
  await expect(press(id, 'Enter', run)).rejects.toMatchObject({ code: 'NOT_ALLOWED_FOR_RUN' })
  await world.ok(['kill', id, '--force'])
  await expect(press(id, 'Enter')).rejects.toMatchObject({ code: 'TASK_NOT_ACTIVE' })
  expect(await keysIn(world, id)).toEqual([])
})
