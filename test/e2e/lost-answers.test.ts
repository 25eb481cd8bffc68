// A command whose answer was lost asks again with the same key: what it makes is made once.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { TaskListJson } from '../../src/protocol/json/task-json.ts'
import { losingSocket } from '../helpers/losing-socket.ts'
import { waitFor } from '../helpers/wait-for.ts'
import { startWorld, type World } from '../helpers/world.ts'

const tasksOf = async (world: World) => (await world.json<TaskListJson>(['list'])).tasks

test('`run` starts one task when the daemon is killed after it was stored and before it was answered', async () => {
  const world = await startWorld()
  await world.ok(['up'])
  const before = world.daemonPid()
  const socket = await losingSocket(world)
  socket.lose('POST /api/tasks ', async () => {
    await world.killDaemon()
    socket.close()
  })
  const said = await world.json<{ task: { session_id: string } }>(['run', 'do: say hello'])
  expect(world.daemonPid()).not.toBe(before)
  expect((await tasksOf(world)).map(({ session_id }) => session_id)).toEqual([said.task.session_id])
  await world.untilStatus(said.task.session_id, 'COMPLETED')
  expect(world.heard()).toHaveLength(1)
})

test('every command that makes something makes one of it when its answer is lost', async () => {
  const world = await startWorld()
  await world.ok(['up'])
  mkdirSync(join(world.root, 'more'))
  const socket = await losingSocket(world)
  /** Runs a command whose first answer is lost. */
  const losing = async <T>(route: string, ...args: string[]): Promise<T> => {
    const before = socket.keys(route).length
    socket.lose(route)
    const told = await world.json<T>(args)
    const [first, second, ...more] = socket.keys(route).slice(before)
    expect({ route, first, more }).toEqual({ route, first: expect.stringMatching(/^[\w-]{16,}$/), more: [] })
    expect({ route, second }).toEqual({ route, second: first })
    return told
  }
  const count = async (...args: string[]) => Object.values(await world.json<object>(args))[0].length as number
  const started = (...flags: string[]) =>
    losing<{ task: { session_id: string } }>('POST /api/tasks ', 'run', ...flags)

  const { task } = await started('do: ask One? | Yes | No\ndo: ask Two? | Yes | No', '--converse')
  expect(await tasksOf(world)).toHaveLength(1)
  const id = task.session_id
  const open = async () => (await world.status(id)).questions.map(({ number }) => number)
  await waitFor('the first question', async () => (await open())[0] === 1)
  const answered = await losing<{ question: { number: number } }>(
    `POST /api/tasks/${id}/answer`,
    'answer',
    id,
    '1',
  )
  expect(answered.question.number).toBe(1)
  await waitFor('the second question', async () => (await open())[0] === 2)

  const { task: talker } = await started('do: say hello', '--converse')
  await waitFor('it to rest', async () => (await world.status(talker.session_id)).phase === 'idle')
  await losing(`POST /api/tasks/${talker.session_id}/inputs`, 'send', talker.session_id, 'do: say once')
  await waitFor('it to hear', () => world.heard().some(({ heard }) => heard === 'do: say once'))
  expect(await count('trigger', 'list', '--to', talker.session_id)).toBe(1)

  const thread = await losing<{ thread_id: string }>('POST /api/threads ', 'thread', 'create', 'a title')
  const inThread = `POST /api/threads/${thread.thread_id}/messages`
  expect(await losing(inThread, 'thread', 'post', thread.thread_id, 'hello')).toMatchObject({
    message: { number: 1 },
  })
  expect(await count('thread', 'list')).toBe(1)

  const runtime = await losing<{ how: string }>(
    'POST /api/runtimes ',
    'runtime',
    'start',
    'helper',
    '--agent',
    'scripted',
  )
  expect(runtime.how).toBe('registered')
  const more = join(world.root, 'more')
  expect(await losing('POST /api/workspaces ', 'workspace', 'add', more)).toMatchObject({ added: true })
  await losing('POST /api/web/tokens ', 'web', 'token', 'ci')
  expect(await count('web', 'tokens')).toBe(1)
})
