import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { waitFor } from '../helpers/wait-for.ts'
import { health, wearOut } from '../helpers/wear-out-tmux.ts'
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

const hasWindow = (world: World, id: string) =>
  waitFor(`the window of ${id}`, async () => (await world.status(id)).tmux_active || undefined)

test('after three deaths of tmux headless tasks start without a window, which follows when tmux is back', async () => {
  const world = await startWorld({ config: 'reconcile.interval: 300ms\n' })
  const before = await world.run('do: wait-for go\ndo: finish done')
  await working(world, before)
  await wearOut(world)
  const { task, notices } = await world.json<{ task: { session_id: string }; notices: string[] }>(
    ['run', '--file', '-'],
    { input: 'do: say hello\ndo: wait-for go\ndo: finish later' },
  )
  expect(notices.join()).toContain('works without a window')
  await working(world, task.session_id)
  expect(await world.status(task.session_id)).toMatchObject({ status: 'RUNNING', tmux_active: false })
  await waitFor('its words', async () => (await world.ok(['logs', task.session_id])).includes('hello'))
  const asking = await world.run('do: ask Which? | red | blue\ndo: finish asked', '--converse')
  await waitFor('its question', async () => (await world.status(asking)).questions.length > 0 || undefined)
  await world.ok(['answer', asking, 'blue'])
  await world.killDaemon()
  expect(await world.status(task.session_id)).toMatchObject({ status: 'RUNNING', phase: 'working' })
  await waitFor('a server', () => world.tmuxPid().catch(() => undefined))
  for (const id of [before, task.session_id]) await hasWindow(world, id)
  await waitFor('its output in the window', async () =>
    (await world.ok(['screen', task.session_id])).includes('hello'),
  )
  writeFileSync(join(world.project, 'go'), '')
  for (const id of [before, task.session_id]) await world.untilStatus(id, 'COMPLETED')
  expect(world.heard().filter(({ heard }) => heard.includes('say hello'))).toHaveLength(1)
}, 60_000)

test('what waits for tmux says so everywhere, as one entry with what to do, and `up` tries it now', async () => {
  const world = await startWorld({ config: 'reconcile.interval: 300ms\n' })
  await world.ok(['up'])
  await wearOut(world)
  const ids = [
    await world.run('do: say one', '--mode', 'interactive'),
    await world.run('do: say two', '--mode', 'interactive'),
  ]
  const [id] = ids as [string, string]
  expect(await world.status(id)).toMatchObject({ waits_for: 'tmux', next: { kind: 'awaits_tmux' } })
  for (const text of [await world.ok(['status', id]), await world.ok(['why', id])]) {
    expect(text).toContain('CREATED waits for tmux')
    expect(text).toMatch(
      /in (9|10)m .*: starts when tmux works again \(the tmux server died 3 times .*: `holdfast up`/,
    )
    expect(text).not.toContain('slot is free')
  }
  expect(await world.ok(['list'])).toContain('CREATED waits for tmux')
  const monitored = await world.cli(['monitor', id, '--verbose', '--max-polls', '1'])
  expect(monitored.stdout + monitored.stderr).toContain('waits for tmux')
  const asked = await world.ok(['questions'])
  expect(asked.match(/tmux has not been usable for/g)).toHaveLength(1)
  expect(asked).toContain('2 sessions wait for a terminal')
  expect(asked).toMatch(/Holdfast tries again in (9|10)m .* To try now: holdfast up/)
  expect(await world.ok(['up'])).toContain('is running')
  for (const one of ids) await waitFor('its turn', async () => (await world.status(one)).phase === 'idle')
  expect(await world.ok(['questions'])).toContain('No open questions')
}, 60_000)

test('tmux is tried again by itself after a while, and who waited for it goes on', async () => {
  const world = await startWorld({ retries: 10, config: 'reconcile.interval: 300ms\ntmux.rest: 3s\n' })
  const id = await world.run('do: say one', '--mode', 'interactive')
  await waitFor('its turn', async () => (await world.status(id)).phase === 'idle')
  await wearOut(world)
  await waitFor('tmux to be tried again', async () => (await health(world)) === 'up', 30_000)
  await hasWindow(world, id)
  await waitFor('it to come back', async () => (await world.status(id)).phase === 'idle', 30_000)
  expect(await world.status(id)).toMatchObject({ status: 'RUNNING', questions: [] })
  expect(world.heard()).toHaveLength(1)
}, 60_000)

test('without any tmux on the machine headless tasks work, interactive ones wait and say for what', async () => {
  const world = await startWorld({ config: 'reconcile.interval: 300ms\ntmux.path: no-such-tmux\n' })
  const id = await world.run('do: say hello\ndo: finish done')
  await world.untilStatus(id, 'COMPLETED')
  expect(await world.ok(['logs', id])).toContain('hello')
  const waiting = await world.run('do: say one', '--mode', 'interactive')
  expect(await world.ok(['why', waiting])).toContain('there is no no-such-tmux on the PATH')
  expect(await world.ok(['questions'])).toContain('Install tmux 3.2 or newer')
  await expect(world.ok(['takeover', await world.run('do: wait-for go')])).rejects.toThrow('no-such-tmux')
  await world.ok(['kill', '--all', '--force'])
}, 60_000)

test('a tmux server that hangs holds up no headless task, and is left alone', async () => {
  const world = await startWorld({ config: 'reconcile.interval: 300ms\n' })
  await world.ok(['up'])
  const pid = await world.tmuxPid()
  process.kill(pid, 'SIGSTOP')
  await waitFor('it to be noticed', async () => (await health(world)) === 'hung', 30_000)
  const id = await world.run('do: finish done')
  await world.untilStatus(id, 'COMPLETED')
  const waiting = await world.run('do: say one', '--mode', 'interactive')
  expect(await world.ok(['questions'])).toContain(`kill -9 ${pid}`)
  process.kill(pid, 'SIGCONT')
  await waitFor('its turn', async () => (await world.status(waiting)).phase === 'idle', 30_000)
  expect(await world.tmuxPid()).toBe(pid)
}, 60_000)
