import { rmSync, writeFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { expect, test } from 'vitest'
import { follow } from '../../../src/cli/waiting/follow.ts'
import { DaemonClient } from '../../../src/cli/wire/client.ts'
import { homePaths } from '../../../src/domain/names/home.ts'
import { aTaskJson } from '../../builders/task-json.ts'
import { tempDir } from '../../helpers/temp-dir.ts'
import { waitFor } from '../../helpers/wait-for.ts'
import { type Asked, standInDaemon } from '../stand-in-daemon.ts'

const ended = aTaskJson({ status: 'COMPLETED', task_status: 'completed', phase: null })
const fromOf = ({ path }: Asked) => Number(new URL(path, 'http://x').searchParams.get('from'))

/** A follower of task `t`; `reach` stands for starting the daemon anew. */
function follower(home: string, reach: () => Promise<void> = async () => {}) {
  const client = (how: { reach?: () => Promise<void> }) =>
    new DaemonClient({ home, socket: homePaths(home).socket, headers: {}, ...how })
  const said: string[] = []
  let text = ''
  const done = follow(
    {
      home,
      daemon: () => client({ reach }),
      runningDaemon: () => client({}),
      say: (line) => said.push(line),
    },
    'GET /api/tasks/:id/output',
    't',
    async (bytes) => {
      text += bytes
    },
  )
  return { done, said, text: () => text }
}

test('text is read to the end, and the end is told', async () => {
  const { home } = await standInDaemon({
    'GET /api/tasks/t/output': (_, response) => {
      response.write('one\n')
      response.end('two\n')
    },
    'GET /api/tasks/t': () => ended,
  })
  const { done, text } = follower(home)
  expect((await done).status).toBe('COMPLETED')
  expect(text()).toBe('one\ntwo\n')
})

test('each byte comes once, though the connection breaks in the middle of a character', async () => {
  const whole = Buffer.from('grün, größer, fertig\n')
  let broken = 0
  const output = (asked: Asked, response: ServerResponse) => {
    const rest = whole.subarray(fromOf(asked))
    if (broken++ > 2) return void response.end(rest)
    response.write(rest.subarray(0, 3), () => response.destroy())
  }
  const { home, asked } = await standInDaemon({
    'GET /api/tasks/t/output': output,
    'GET /api/tasks/t': () => ended,
  })
  const received: Buffer[] = []
  const client = () => new DaemonClient({ home, socket: homePaths(home).socket, headers: {} })
  await follow(
    { home, daemon: client, runningDaemon: client, say: () => {} },
    'GET /api/tasks/:id/output',
    't',
    async (bytes) => void received.push(bytes),
  )
  expect(Buffer.concat(received)).toEqual(whole)
  expect(asked.filter(({ path }) => path.includes('output')).map(fromOf)).toEqual([0, 3, 6, 9])
})

test('a daemon that died is started again, and the reading goes on where it was', async () => {
  const home = tempDir()
  const first = await standInDaemon(
    { 'GET /api/tasks/t/output': (_, response) => void response.write('before ') },
    home,
  )
  const second = async () => {
    const routes = {
      'GET /api/tasks/t/output': (asked: Asked, response: ServerResponse) =>
        void response.end(`after ${fromOf(asked)}`),
      'GET /api/tasks/t': () => ended,
    }
    rmSync(homePaths(home).socket)
    await standInDaemon(routes, home)
  }
  const { done, text, said } = follower(home, second)
  await waitFor('the first bytes', () => text() === 'before ')
  // A killed daemon leaves its socket behind.
  await first.stop()
  writeFileSync(homePaths(home).socket, '')
  await done
  expect(text()).toBe('before after 7')
  expect(said).toEqual([])
})

test('a daemon that was stopped is waited for, not started', async () => {
  const home = tempDir()
  const first = await standInDaemon(
    {
      'GET /api/tasks/t/output': (_, response) => void response.end('before '),
      'GET /api/tasks/t': () => {
        void first.stop()
        return aTaskJson()
      },
    },
    home,
  )
  const { done, text, said } = follower(home, () => Promise.reject(new Error('must not be started')))
  await waitFor('the notice', () => said.length === 1)
  expect(said[0]).toContain('Waiting until the daemon is started again with `holdfast up`')
  await standInDaemon(
    {
      'GET /api/tasks/t/output': (_, response) => void response.end('after'),
      'GET /api/tasks/t': () => ended,
    },
    home,
  )
  await done
  expect(text()).toBe('before after')
})

test('an unknown task is an error, not something to wait for', async () => {
  const { home } = await standInDaemon({})
  await expect(follower(home).done).rejects.toMatchObject({ code: 'TASK_NOT_FOUND' })
})
