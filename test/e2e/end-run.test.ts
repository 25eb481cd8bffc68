import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { agentPid, keeperPid } from '../helpers/faults.ts'
import { isAlive } from '../helpers/is-alive.ts'
import { waitFor } from '../helpers/wait-for.ts'
import { startWorld, type World } from '../helpers/world.ts'

const untilSaid = (world: World, id: string, words: string) =>
  waitFor(`'${words}' in the log`, async () => (await world.cli(['logs', id])).stdout.includes(words))

/** The agent says it in its events. */
async function toolPid(world: World, id: string): Promise<number> {
  const pid = Number(/"pid":(\d+)/.exec(await world.ok(['logs', id, '--raw']))?.[1])
  expect(pid).toBeGreaterThan(1)
  return pid
}

test('kill ends the whole tree: an agent that ignores TERM and INT, and a tool in its own session', async () => {
  const world = await startWorld()
  const id = await world.run('do: ignore-term\ndo: tool-detached 600\ndo: say ready\ndo: hang')
  await untilSaid(world, id, 'ready')
  const agent = await agentPid(world, id)
  const tool = await toolPid(world, id)
  expect([isAlive(agent), isAlive(tool)]).toEqual([true, true])
  const said = await world.ok(['kill', id, '--force', '--reason', 'tired of it'])
  expect(said).toContain(`Session killed: ${id}`)
  expect(await world.status(id)).toMatchObject({
    status: 'KILLED',
    task_status: 'cancelled',
    reason: 'tired of it',
  })
  await waitFor('agent and tool to be gone', () => !isAlive(agent) && !isAlive(tool))
  const left = await world.json<{ tasks: unknown[] }>(['list', '--status', 'RUNNING'])
  expect(left.tasks).toEqual([])
})

test('without a terminal, kill needs --force; what has ended is only told so, with exit 0', async () => {
  const world = await startWorld()
  const id = await world.run('do: wait-for go\ndo: finish ok')
  const refused = await world.cli(['kill', id])
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('CONFIRMATION_NEEDED') })
  expect(await world.status(id)).toMatchObject({ stopping: null })
  writeFileSync(join(world.project, 'go'), '')
  await world.untilStatus(id, 'COMPLETED')
  const said = await world.cli(['kill', id, '--force'])
  expect(said).toMatchObject({ code: 0, stdout: 'Session already terminated (status: COMPLETED)\n' })
})

test('an order to end survives the daemon that took it', async () => {
  const world = await startWorld({ killGrace: '4s' })
  const id = await world.run('do: ignore-term\ndo: say ready\ndo: hang')
  await untilSaid(world, id, 'ready')
  const pid = await agentPid(world, id)
  const killing = world.cli(['kill', id, '--force'])
  await waitFor('the order to be stored', async () => (await world.status(id)).stopping !== null)
  await world.killDaemon()
  expect(isAlive(pid)).toBe(true)
  await killing
  await world.untilStatus(id, 'KILLED')
  expect(isAlive(pid)).toBe(false)
})

test('what a finished agent leaves running is ended with its run', async () => {
  const world = await startWorld()
  const id = await world.run('do: tool-detached 600\ndo: finish done')
  await world.untilStatus(id, 'COMPLETED')
  const pid = await toolPid(world, id)
  await waitFor('the detached tool to be gone', () => !isAlive(pid))
})

test('an agent whose keeper was killed is still watched, and its end is seen', async () => {
  const world = await startWorld({ config: 'reconcile.interval: 300ms\n' })
  const id = await world.run('do: say ready\ndo: wait-for go\ndo: finish done')
  await untilSaid(world, id, 'ready')
  process.kill(keeperPid(world), 'SIGKILL')
  writeFileSync(join(world.project, 'go'), '')
  expect(await world.untilStatus(id, 'COMPLETED')).toMatchObject({ exit_code: null })
})

test('kill --all ends everything, queued tasks too', async () => {
  const world = await startWorld({ config: 'maxConcurrent: 1\n' })
  const running = await world.run('do: say ready\ndo: hang')
  const queued = await world.run('do: hang')
  await untilSaid(world, running, 'ready')
  await world.ok(['kill', '--all', '--force'])
  for (const id of [running, queued]) expect(await world.status(id)).toMatchObject({ status: 'KILLED' })
  expect(await world.status(queued)).toMatchObject({ run_id: null })
})
