// Orders outlive the daemon that took them.
import { expect, test } from 'vitest'
import { agentPid, recovering, untilPhase } from '../helpers/faults.ts'
import { waitFor } from '../helpers/wait-for.ts'
import { finished } from '../helpers/world.ts'

test('a kill whose daemon dies over it is carried out by the next one, and who gave it is told so', async () => {
  const world = await recovering('', { killGrace: '3s' })
  const id = await world.run('do: ignore-term\ndo: wait-for never')
  const pid = await agentPid(world, id)
  const kill = world.daemon.call('POST /api/tasks/:id/kill', { id, body: {} })
  await waitFor('the order', () => orderGiven(world, id))
  await world.killDaemon()
  expect(await kill).toMatchObject({ already_ended: false })
  const task = await world.untilStatus(id, 'KILLED')
  expect(task.reason).toBe('Killed')
  await waitFor('its agent to be gone', () => !world.processes().includes(pid))
})

test('a takeover whose daemon dies over it happens once', async () => {
  const world = await recovering('', { killGrace: '2s' })
  const id = await world.run('do: say here\ndo: ignore-term\ndo: wait-for go')
  await agentPid(world, id)
  await untilPhase(world, id, 'working')
  const takeover = finished(world.start(['takeover', id, '--json']))
  await waitFor('the order', () => orderGiven(world, id))
  await world.killDaemon()
  expect(await takeover).toMatchObject({ code: 0 })
  await waitFor('its terminal', async () => {
    const { mode, phase } = await world.status(id)
    return mode === 'interactive' && phase === 'idle'
  })
  const { orders } = await ordersOf(world, id)
  expect(orders).toMatchObject([{ kind: 'takeover', state: 'done' }])
})

type World = Awaited<ReturnType<typeof recovering>>
const ordersOf = (world: World, id: string) => world.daemon.call('GET /api/tasks/:id/orders', { id })
const orderGiven = async (world: World, id: string) => (await ordersOf(world, id)).orders.length > 0
