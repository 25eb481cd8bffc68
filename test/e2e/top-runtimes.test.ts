// Runtimes on the board: sessions that have no end of their own.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { RuntimeDetailJson } from '../../src/protocol/json/runtime-json.ts'
import { boardOf } from '../helpers/board.ts'
import { textIn } from '../helpers/faults.ts'
import { waitFor } from '../helpers/wait-for.ts'
import { startWorld, type World } from '../helpers/world.ts'

const QUICK = 'runtime.grace: 200ms\nreconcile.interval: 500ms\n'
const NAME = 'reviewer@project'

const start = (world: World, role: string) => world.ok(['runtime', 'start', role, '--agent', 'scripted'])
const see = (world: World): Promise<RuntimeDetailJson> =>
  world.daemon.call('GET /api/runtimes/:id', { id: NAME })

async function withBoard() {
  const world = await startWorld({ config: QUICK })
  await start(world, 'reviewer')
  const board = await boardOf(world)
  await board.until(/WAITING 1\n▸ ○ reviewer@project +idle/)
  return { world, board }
}

test('the board shows a runtime by its name: idle, asking, at work, back after its death, and stopped', async () => {
  const { world, board } = await withBoard()
  await world.ok(['send', NAME, 'do: ask Which colour? | red | green\ndo: wait-for go'])
  await board.until(/NEEDS YOU 1\n▸ \? reviewer@project +asks for \d+s .* Which colour\?/)
  board.types('a')
  await board.until('Answer (a number)')
  board.types('2', 'Enter')
  await board.until('The dialog closed')
  await board.until(/AT WORK 1\n▸ ● reviewer@project +working/)
  const { pid } = await see(world)
  process.kill(pid ?? 0, 'SIGKILL')
  await waitFor('another process', async () => {
    const runtime = await see(world)
    return runtime.state === 'ready' && runtime.pid !== pid
  })
  writeFileSync(join(world.project, 'go'), '')
  await board.until(/WAITING 1\n▸ ○ reviewer@project +idle/)
  await world.ok(['runtime', 'stop', NAME])
  await board.until(/DONE 1\n▸ - reviewer@project +stopped/)
  await board.until('holdfast runtime start reviewer --workspace project')
  await start(world, 'reviewer')
  await board.until(/(WAITING|AT WORK) 1\n▸ . reviewer@project/)
})

test('k does not kill a runtime, and r not start one over: the board says what to do, and the runtime works on', async () => {
  const { world, board } = await withBoard()
  const { pid, task_id } = await see(world)
  board.types('k')
  const refused = await board.until('is a runtime: it is not killed')
  expect(refused.replace(/\s+/g, ' ')).toContain('`holdfast runtime stop reviewer@project` ends it.')
  expect(refused).not.toContain('[y/N]')
  // Were it a question, this would be its answer.
  board.types('y')
  board.types('r')
  await board.until(`Start ${task_id} again from its first prompt? [y/N]`)
  board.types('y')
  const active = await board.until('(TASK_ACTIVE)')
  expect(active).not.toContain('holdfast kill')
  expect(await see(world)).toMatchObject({ state: 'ready', pid })
  await world.ok(['runtime', 'stop', NAME])
  await board.until(/▸ - reviewer@project +stopped/)
  board.types('r')
  await board.until('[y/N]')
  board.types('y')
  await board.until(/is a runtime that is stopped: it is\s+started as such\.\s+\(RUNTIME_STANDS\)/)
  expect(await see(world)).toMatchObject({ state: 'offline', wanted: 'stopped', pid: null })
})

test('s sends to a runtime, and Enter shows the window of the one that is selected', async () => {
  const { world, board } = await withBoard()
  await start(world, 'tester')
  await board.until(/WAITING 2\n {2}○ tester@project +idle.*\n▸ ○ reviewer@project +idle/)
  board.types('s')
  await board.until(/Send to \S+/)
  board.types('-l', 'do: append heard.txt ok')
  board.types('Enter')
  await board.until(/has received the prompt|is with the agent|was worked off/)
  await waitFor('the agent to do it', () => textIn(world, 'heard.txt') === 'ok\n')
  const shownWindow = () => world.tmux('list-clients', '-F', '#{session_name}:#{window_name}')
  for (const [role, key] of [
    ['reviewer', 'Up'],
    ['tester', 'Down'],
  ] as const) {
    await board.until(new RegExp(`▸ ○ ${role}@project +idle`))
    board.types('Enter')
    await waitFor('the window', async () => (await shownWindow()).includes(`agents_project:${role}`))
    await board.until('enter sends')
    board.types('C-b', 'd')
    await board.until(new RegExp(`▸ ○ ${role}@project +idle`))
    board.types(key)
  }
})
