import { rmSync } from 'node:fs'
import { expect, test } from 'vitest'
import { type Waiting, waitForTasks } from '../../../src/cli/waiting/wait-for-tasks.ts'
import { DaemonClient } from '../../../src/cli/wire/client.ts'
import { homePaths } from '../../../src/domain/names/home.ts'
import type {
  MonitorAskJson,
  MonitoredJson,
  MonitorLookJson,
} from '../../../src/protocol/json/monitor-json.ts'
import { waitFor } from '../../helpers/wait-for.ts'
import { type Asked, refuse, standInDaemon } from '../stand-in-daemon.ts'

const WHOLE = '20251118-153042-demo'
const look = (changes: Partial<MonitorLookJson> = {}): MonitorLookJson => ({
  over: false,
  seen: 'running working null',
  tasks: [{ session_id: WHOLE } as MonitoredJson],
  cursor: null,
  events: [],
  ...changes,
})
const over = look({ over: true })
const bodies = (asked: readonly Asked[]) => asked.map(({ body }) => body as MonitorAskJson)

function waiter(home: string, changes: Partial<Waiting> = {}, reach = async () => {}) {
  const client = (how: { reach?: () => Promise<void> }) =>
    new DaemonClient({ home, socket: homePaths(home).socket, headers: {}, ...how })
  const said: string[] = []
  const looks: MonitorLookJson[] = []
  const done = waitForTasks(
    {
      ask: { ids: ['20251118-15'] },
      timeoutMs: 60_000,
      maxPolls: 100,
      onLook: (one) => looks.push(one),
      ...changes,
    },
    {
      home,
      daemon: () => client({ reach }),
      runningDaemon: () => client({}),
      say: (line) => said.push(line),
    },
  )
  return { done, said, looks }
}

test('later looks ask for the whole id, and for what is not as it was seen', async () => {
  const answers = [look(), look({ seen: 'other' }), over]
  const { home, asked } = await standInDaemon({ 'POST /api/monitor': () => answers.shift() })
  const { done, looks } = waiter(home)
  expect(await done).toEqual({ look: over, gaveUp: null })
  expect(looks).toHaveLength(2)
  expect(bodies(asked)).toEqual([
    { ids: ['20251118-15'], wait_seconds: 30 },
    { ids: [WHOLE], seen: 'running working null', wait_seconds: expect.any(Number) },
    { ids: [WHOLE], seen: 'other', wait_seconds: expect.any(Number) },
  ])
})

test('patience ends after so many looks', async () => {
  const { home, asked } = await standInDaemon({ 'POST /api/monitor': () => look() })
  expect(await waiter(home, { maxPolls: 3 }).done).toEqual({ look: look(), gaveUp: 'polls' })
  expect(asked).toHaveLength(3)
})

test('patience ends with the time, and no question is meant to last longer', async () => {
  const { home, asked } = await standInDaemon({ 'POST /api/monitor': () => look() })
  expect((await waiter(home, { timeoutMs: 50, maxPolls: 1e9 }).done).gaveUp).toBe('timeout')
  expect(Math.max(...bodies(asked).map(({ wait_seconds }) => wait_seconds))).toBeLessThanOrEqual(0.05)
})

test('a daemon that dies is started again, and the waiting goes on', async () => {
  let died = false
  const { home, asked } = await standInDaemon({
    'POST /api/monitor': (_, response) => {
      if (asked.length === 1) return look()
      if (died) return over
      died = true
      response.destroy()
    },
  })
  expect((await waiter(home).done).gaveUp).toBeNull()
  expect(bodies(asked).at(-1)).toMatchObject({ ids: [WHOLE], seen: 'running working null' })
})

/** Answers once, and is stopped over the next question, as `holdfast down` does it. */
async function stoppedDaemon() {
  const daemon = await standInDaemon({
    'POST /api/monitor': () => {
      if (daemon.asked.length === 1) return look()
      void daemon.stop().then(() => rmSync(daemon.socket, { force: true }))
    },
  })
  return daemon
}

test('a daemon that was stopped is not started behind its owner’s back, but waited for', async () => {
  const { home } = await stoppedDaemon()
  const reached: string[] = []
  const { done, said } = waiter(home, {}, async () => void reached.push('reach'))
  await waitFor('the word that it waits', () => said.length > 0)
  expect(said).toEqual([
    'The daemon was stopped; the session goes on. Waiting until the daemon is started again with `holdfast up`.',
  ])
  await standInDaemon({ 'POST /api/monitor': () => over }, home)
  expect((await done).look.over).toBe(true)
  expect(reached).toEqual([])
})

test('while the daemon stays stopped, patience still ends', async () => {
  const { home } = await stoppedDaemon()
  expect(await waiter(home, { timeoutMs: 500 }).done).toEqual({ look: look(), gaveUp: 'timeout' })
})

test('what the daemon refuses is an error', async () => {
  const { home } = await standInDaemon({
    'POST /api/monitor': (_, response) => refuse(response, 'AMBIGUOUS_ID', 409),
  })
  await expect(waiter(home).done).rejects.toMatchObject({ code: 'AMBIGUOUS_ID' })
})
