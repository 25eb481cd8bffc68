// Orders outlive the daemon that took them.
import { expect, test } from 'vitest'
import { agentPid, recovering } from '../helpers/faults.ts'
import { isAlive } from '../helpers/is-alive.ts'
import { waitFor } from '../helpers/wait-for.ts'
import { finished } from '../helpers/world.ts'

test('a kill whose daemon dies over it is carried out by the next one, and who gave it is told so', async () => {
  const world = await recovering('', { killGrace: '3s' })
  const id = await world.run('do: ignore-term\ndo: say deaf\ndo: wait-for never')
  const pid = await agentPid(world, id)
  await untilSaid(world, id, 'deaf')
  const kill = world.daemon.call('POST /api/tasks/:id/kill', { id, body: {} })
  await waitFor('the order', () => orderGiven(world, id))
  await world.killDaemon()
  expect(isAlive(pid)).toBe(true)
  expect(await kill).toMatchObject({ already_ended: false })
  const task = await world.untilStatus(id, 'KILLED')
  expect(task.reason).toBe('Killed')
  await waitFor('its agent to be gone', () => !world.processes().includes(pid))
})

test('a takeover whose daemon dies over it happens once', async () => {
  const world = await recovering('', { killGrace: '2s' })
  const id = await world.run('do: ignore-term\ndo: say deaf\ndo: wait-for go')
  const pid = await agentPid(world, id)
  await untilSaid(world, id, 'deaf')
  const takeover = finished(world.start(['takeover', id, '--json']))
  await waitFor('the order', () => orderGiven(world, id))
  await world.killDaemon()
  expect(isAlive(pid)).toBe(true)
  expect(await takeover).toMatchObject({ code: 0 })
  await waitFor('its terminal', async () => {
    const { mode, phase } = await world.status(id)
    return mode === 'interactive' && phase === 'idle'
  })
  const { orders } = await ordersOf(world, id)
  expect(orders).toMatchObject([{ kind: 'takeover', state: 'done' }])
  const { runs } = await world.daemon.call('GET /api/tasks/:id/why', { id })
  expect(runs.map(({ how }) => how)).toEqual(['start', 'resume'])
})

const untilSaid = (world: World, id: string, words: string) =>
  waitFor(`'${words}' in the log`, async () => (await world.ok(['logs', id])).includes(words))
type World = Awaited<ReturnType<typeof recovering>>
const ordersOf = (world: World, id: string) => world.daemon.call('GET /api/tasks/:id/orders', { id })
const orderGiven = async (world: World, id: string) => (await ordersOf(world, id)).orders.length > 0
