// What people are told of runtimes, and what they answer.
import { rmSync } from 'node:fs'
import { expect, test } from 'vitest'
import { withLark } from '../helpers/lark-app.ts'
import { waitFor } from '../helpers/wait-for.ts'
import type { World } from '../helpers/world.ts'

const config = 'runtime.grace: 200ms\nreconcile.interval: 500ms'
const NAME = 'reviewer@project'

const start = (world: World) => world.ok(['runtime', 'start', 'reviewer', '--agent', 'scripted'])
const see = (world: World) => world.daemon.call('GET /api/runtimes/:id', { id: NAME })
const untilIdle = (world: World) =>
  waitFor('it to be idle', async () => (await world.status(NAME)).phase === 'idle')

test('a question of a runtime is told once, also by a rule for its role; a button answers it', async () => {
  const rules = '[{events: [question], roles: [reviewer]}]'
  const { world, cards, tickets, press } = await withLark({ config, rules })
  await start(world)
  await world.ok(['send', NAME, 'do: ask Which colour? | red | green\ndo: say painted'])
  const [, green = ''] = await waitFor('the card', tickets)
  expect(cards()).toEqual([expect.stringContaining('runtime reviewer@project asks: Which colour?')])
  expect((await press(green)).body).toMatchObject({ toast: { type: 'success' } })
  await untilIdle(world)
  expect(await world.ok(['screen', NAME])).toContain('green')
  expect(await world.ok(['audit', '--kind', 'question_answered', '--json'])).toContain('lark:ops:ou_1')
  expect(cards()).toHaveLength(1)
})

test('a runtime has no completion: neither the end of a turn nor a stop is told; a chat shows it, and cannot end it', async () => {
  const { world, cards, said, command } = await withLark({ config })
  await start(world)
  await world.ok(['send', NAME, 'do: say one'])
  await untilIdle(world)
  const { task_id } = await see(world)
  expect(await said(command(`/task status ${NAME}`))).toContain(`${task_id} · running, idle`)
  expect(await said(command(`/task cancel ${NAME}`))).toContain(
    'is a runtime: it is stopped or removed as such',
  )
  expect((await see(world)).state).toBe('ready')
  await world.ok(['runtime', 'stop', NAME])
  // What happens later is told later: when this has come, nothing of the runtime will.
  await world.run('do: finish well done', '--name', 'task')
  await waitFor('the card', () => cards().length > 0)
  expect(cards()).toEqual([expect.stringContaining('task completed')])
})

test('a runtime that cannot come back is told as an escalation, once; the answer from there stops it', async () => {
  const { world, cards, tickets, press } = await withLark({ config })
  await start(world)
  await untilIdle(world)
  const { pid } = await see(world)
  rmSync(world.project, { recursive: true })
  process.kill(pid ?? 0, 'SIGKILL')
  const [, close = ''] = await waitFor('the card', tickets, 30_000)
  expect(cards()).toEqual([expect.stringContaining('runtime reviewer@project needs you')])
  expect((await press(close)).body).toMatchObject({ toast: { type: 'success' } })
  await waitFor('it to be stopped', async () => (await see(world)).wanted === 'stopped')
  expect(await see(world)).toMatchObject({ state: 'offline', pid: null })
  expect(cards()).toHaveLength(1)
})
