import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { waitFor } from '../helpers/wait-for.ts'
import { startWorld, type World } from '../helpers/world.ts'

const working = (world: World, id: string) =>
  waitFor(`${id} to work`, async () => (await world.status(id)).phase === 'working')

test('a tmux server killed with -9 takes no headless run with it; its windows come back', async () => {
  const world = await startWorld()
  const id = await world.run('do: say still here\ndo: wait-for go\ndo: finish done')
  await working(world, id)
  const before = await world.status(id)
  const pid = await world.tmuxPid()
  process.kill(pid, 'SIGKILL')
  await waitFor('a new server with the window', async () => {
    const sessions = await world.tmux('list-sessions', '-F', '#{pid} #{session_name}').catch(() => '')
    return sessions.includes(`hf-${id}`) && !sessions.startsWith(`${pid} `)
  })
  await waitFor('the output in the new window', async () =>
    (await world.cli(['screen', id])).stdout.includes('still here'),
  )
  expect(await world.status(id)).toMatchObject({
    status: 'RUNNING',
    run_id: before.run_id,
    tmux_active: true,
  })
  writeFileSync(join(world.project, 'go'), '')
  await world.untilStatus(id, 'COMPLETED')
})

test('after three deaths tmux stays down, running tasks go on, new ones wait and say why', async () => {
  const world = await startWorld()
  const id = await world.run('do: wait-for go\ndo: finish done')
  await working(world, id)
  const health = async () => (await world.json<{ tmux: string }>(['up'])).tmux
  for (let death = 1; death <= 3; death++) {
    const pid = await waitFor('a server', () => world.tmuxPid().catch(() => undefined))
    process.kill(pid, 'SIGKILL')
    await waitFor(`death ${death} to be handled`, async () => {
      const now = await world.tmuxPid().catch(() => undefined)
      return death < 3 ? now !== undefined && now !== pid : (await health()) === 'given_up'
    })
  }
  const created = await world.json<{ task: { session_id: string }; notices: string[] }>([
    'run',
    'do: finish later',
  ])
  expect(created.notices.join()).toContain('tmux is given up')
  expect(await world.status(created.task.session_id)).toMatchObject({ status: 'CREATED' })
  writeFileSync(join(world.project, 'go'), '')
  await world.untilStatus(id, 'COMPLETED')
  await world.ok(['down'])
  await world.untilStatus(created.task.session_id, 'COMPLETED')
})
