import { expect, test } from 'vitest'
import type { KilledJson } from '../../src/protocol/json/order-json.ts'
import type { TaskListJson } from '../../src/protocol/json/task-json.ts'
import { agentPid } from '../helpers/faults.ts'
import { isAlive } from '../helpers/is-alive.ts'
import { waitFor } from '../helpers/wait-for.ts'
import { finished, startWorld, type World } from '../helpers/world.ts'

/** One works, the others wait for its slot. */
async function startMany(world: World, count: number, prompt = 'do: hang'): Promise<string[]> {
  const asked = { prompt, dir: world.project, env: { PATH: world.env.PATH! }, allow_dir: true }
  const ids: string[] = []
  for (let n = 0; n < count; n++) {
    const { task } = await world.daemon.call('POST /api/tasks', { body: asked })
    ids.push(task.session_id)
  }
  await world.untilStatus(ids[0]!, 'RUNNING')
  return ids
}
const world = (killGrace = '1s') =>
  startWorld({ killGrace, config: 'maxConcurrent: 1\narchive.after: none\n' })

/** As `startMany`, but the one that works takes its time to be killed: so the order for all is not over before it. */
async function startManyAndOneStubborn(world: World, count: number): Promise<number> {
  const [first] = await startMany(world, count, 'do: ignore-term\ndo: say ready\ndo: hang')
  await waitFor('the first to ignore TERM', async () => (await world.ok(['logs', first!])).includes('ready'))
  return agentPid(world, first!)
}
const totals = async (world: World) => (await world.json<TaskListJson>(['list'])).totals

test('kill --all ends the queued and the running with one order, and none of the queued starts meanwhile', async () => {
  const here = await world()
  const ids = await startMany(here, 40)
  const { results } = await here.json<{ results: KilledJson[] }>(['kill', '--all', '--force'])
  expect(results.map(({ task }) => task.session_id).sort()).toEqual([...ids].sort())
  expect(results.every(({ already_ended, task }) => !already_ended && task.status === 'KILLED')).toBe(true)
  expect(await totals(here)).toMatchObject({ total: 40, killed: 40 })
  for (const id of ids.slice(1)) {
    const { runs } = await here.daemon.call('GET /api/tasks/:id/why', { id })
    expect(runs, id).toEqual([])
  }
  expect(await here.ok(['kill', '--all', '--force'])).toBe('No active sessions\n')

  const again = await here.cli(['kill', ...ids.slice(0, 20), '--force'])
  expect(again.stdout).toBe('0 sessions killed, 20 had ended already\n')
  expect(await here.ok(['archive', ...ids])).toBe('40 sessions archived\n')
  expect(await here.ok(['archive', ...ids])).toBe('0 sessions archived, 40 were already archived\n')
  expect(await totals(here)).toMatchObject({ total: 0 })
})

test('kill with one unknown id among several ends none of them', async () => {
  const here = await world()
  const ids = await startMany(here, 2)
  const refused = await here.cli(['kill', ...ids, 'nobody', '--force'])
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('TASK_NOT_FOUND') })
  expect(await totals(here)).toMatchObject({ killed: 0 })
})

test('an order for many goes on when the command that gave it is killed', async () => {
  const here = await world('4s')
  const stubborn = await startManyAndOneStubborn(here, 40)
  const child = here.start(['kill', '--all', '--force'])
  await waitFor('the first to end', async () => (await totals(here))!.killed > 0)
  child.kill('SIGKILL')
  expect(isAlive(stubborn)).toBe(true)
  await waitFor('all to end', async () => (await totals(here))!.killed === 40)
})

test('when the daemon is killed in the middle of kill --all the command says so, and asking again ends the rest', async () => {
  const here = await world('4s')
  await startManyAndOneStubborn(here, 60)
  const said = finished(here.start(['kill', '--all', '--force']))
  await waitFor('the first to end', async () => (await totals(here))!.killed > 0)
  await here.killDaemon()
  const { code, stdout, stderr } = await said
  expect(code).not.toBe(0)
  expect(stdout).toBe('')
  expect(stderr).toMatch(/\d+ of 60 sessions were killed\. Run the command again for the others\./)
  await here.ok(['kill', '--all', '--force'])
  expect(await totals(here)).toMatchObject({ total: 60, killed: 60 })
})

test('a program that does not ask for lines is answered in one piece, when all is done', async () => {
  const here = await world()
  const ids = await startMany(here, 3)
  await here.ok(['kill', '--all', '--force'])
  // `call` asks for one JSON value.
  const archived: unknown = await here.daemon.call('POST /api/tasks/archive', {
    body: { older_than_seconds: 0 },
  })
  const { results, failures } = archived as { results: { task: { session_id: string } }[]; failures: [] }
  expect(results.map(({ task }) => task.session_id).sort()).toEqual([...ids].sort())
  expect(failures).toEqual([])
  const unparked: unknown = await here.daemon.call('POST /api/parks/unpark')
  expect(unparked).toEqual({ opened: [], tasks: [], failures: [] })
})
