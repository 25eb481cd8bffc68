import { expect, test } from 'vitest'
import type { HealthJson, ReadyJson } from '../../src/protocol/json/daemon-json.ts'
import type { ServerContext } from '../../src/server/context.ts'
import { daemonRoutes } from '../../src/server/routes/daemon/daemon.ts'

const MB = 1024 * 1024

/** A daemon whose sessions take 3 MB, where so much is free. */
function asked(free: number | undefined) {
  const daemon = {
    disk: () => ({ bytes: 3 * MB, words: 'All sessions together take 3 MB of disk', warning: null }),
    outage: async () => null,
    tmuxHealth: () => 'up',
    whyNoTmux: () => null,
    checkStore: async () => {},
    maxConcurrent: 5,
  }
  const routes = daemonRoutes({
    desk: {
      daemon,
      lists: { counts: async () => ({}), ownCounts: async () => ({}) },
      subscribers: { troubles: async () => ({ setAside: 0, heldBy: [], missed: [] }) },
    },
    about: { store: 'sqlite' },
    freeBytes: async () => free,
  } as unknown as ServerContext)
  return {
    disk: async () => ((await (await routes.request('/health')).json()) as HealthJson).disk,
    ready: async () => (await (await routes.request('/ready')).json()) as ReadyJson,
  }
}

test('the free space where the home lies is told, and a disk that is nearly full is not ok', async () => {
  const full = asked(40 * MB)
  const what = '40 MB free. All sessions together take 3 MB of disk'
  expect(await full.disk()).toEqual({
    bytes: 3 * MB,
    free_bytes: 40 * MB,
    what,
    too_much: false,
    too_little_free: true,
  })
  const { ready, checks } = await full.ready()
  expect(checks.find(({ name }) => name === 'disk')).toEqual({ name: 'disk', ok: false, what })
  expect(ready).toBe(true)
})

test('with enough free space the disk is ok, and where it cannot be told nothing is said of it', async () => {
  expect((await asked(9000 * MB).ready()).checks.at(-1)).toMatchObject({ name: 'disk', ok: true })
  expect(await asked(undefined).disk()).toMatchObject({ free_bytes: null, too_little_free: false })
  expect((await asked(undefined).ready()).checks.at(-1)).toEqual({
    name: 'disk',
    ok: true,
    what: 'All sessions together take 3 MB of disk',
  })
})
