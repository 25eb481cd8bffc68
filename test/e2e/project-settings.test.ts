// What `config` shows inside a project is what its sessions get, with the built CLI and a real daemon.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { RuntimeStartedJson } from '../../src/protocol/json/runtime-json.ts'
import { waitFor } from '../helpers/wait-for.ts'
import { startWorld } from '../helpers/world.ts'

const NAME = 'reviewer@project'

async function worldWhere(ofProject: string) {
  const world = await startWorld({ config: 'reconcile.interval: 500ms\n' })
  mkdirSync(join(world.project, '.holdfast'), { recursive: true })
  writeFileSync(join(world.project, '.holdfast/config.yaml'), ofProject)
  return world
}

test('a runtime comes back after the grace of its project, and takes no longer prompt than that allows', async () => {
  const world = await worldWhere('runtime.grace: 200ms\ntrigger.maxBytes: 10\n')
  expect(await world.ok(['config', 'get', 'runtime.grace'])).toBe('200ms\n')
  expect(await world.ok(['config', 'get', 'trigger.maxBytes'])).toBe('10\n')
  const { runtime } = await world.json<RuntimeStartedJson>([
    'runtime',
    'start',
    'reviewer',
    '--agent',
    'scripted',
  ])
  expect(await world.cli(['send', NAME, 'do: say eleven'])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('PROMPT_TOO_LARGE'),
  })
  await world.ok(['send', NAME, 'do: say hi'])
  process.kill(runtime.pid!, 'SIGKILL')
  // Without the project's file it would take 30 s.
  await waitFor(
    'it to be back',
    async () => {
      const { state, pid } = await world.daemon.call('GET /api/runtimes/:id', { id: NAME })
      return state === 'ready' && pid !== null && pid !== runtime.pid
    },
    20_000,
  )
})

test('start and restart of a runtime, and its row, have one patience: that of its project', async () => {
  const world = await worldWhere('runtime.startTimeout: 3s\nkill.grace: 200ms\n')
  const slow = { env: { SCRIPTED_AGENT_TROUBLE: 'slow-start=120' } }
  const late = {
    code: 2,
    stderr: expect.stringContaining(
      `Runtime ${NAME} is not ready: its agent shows no prompt after 3s. (RUNTIME_NOT_READY)`,
    ),
  }
  const fails = async (...command: string[]) => {
    expect(await world.cli(['runtime', ...command], slow)).toMatchObject(late)
    return await waitFor('its row to say so', async () => {
      const { state, reason, transitions } = await world.daemon.call('GET /api/runtimes/:id', { id: NAME })
      return state === 'failed' && reason.includes('after 3s') ? transitions : undefined
    })
  }
  await fails('start', 'reviewer', '--agent', 'scripted')
  const moves = await fails('restart', NAME)
  expect(moves.filter(({ event }) => event === 'start_timeout')).toHaveLength(2)
})

test('config set says from when on the value counts', async () => {
  const world = await startWorld()
  const said = async (...setting: string[]) => (await world.ok(['config', 'set', ...setting])).split('\n')[1]
  expect(await said('quiet.window', '1s')).toBe('It applies from the next start of the daemon on.')
  await world.ok(['up'])
  expect(await said('quiet.window', '2s')).toMatch(/^To apply it, restart the daemon/)
  expect(await said('runtime.grace', '2s')).toBe('It applies to sessions that are created from now on.')
  expect(await said('recursion.depth', '1')).toBe('It applies from now on.')
})

test('a project that sets what serves all projects is refused, by config and by what it starts', async () => {
  const world = await worldWhere('trigger.ratePerThread: 2\n')
  for (const command of [
    ['config', 'show'],
    ['config', 'get', 'trigger.ratePerThread'],
    ['run', 'do: say hi'],
  ])
    expect(await world.cli(command), command.join(' ')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("'trigger.ratePerThread' counts for all projects"),
    })
})
