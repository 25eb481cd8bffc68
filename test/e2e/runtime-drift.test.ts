// The registry and a real tmux do not agree, because a person moved things there: it is found, put right, told and counted.
import { expect, test } from 'vitest'
import type { RuntimeDetailJson, RuntimeStartedJson } from '../../src/protocol/json/runtime-json.ts'
import { textIn } from '../helpers/faults.ts'
import { waitFor } from '../helpers/wait-for.ts'
import { startWorld, type World } from '../helpers/world.ts'

const QUICK = 'runtime.grace: 200ms\nreconcile.interval: 500ms\n'
const NAME = 'reviewer@project'
const PATIENCE_MS = 30_000

const see = (world: World): Promise<RuntimeDetailJson> =>
  world.daemon.call('GET /api/runtimes/:id', { id: NAME })

async function started() {
  const world = await startWorld({ config: QUICK })
  const { runtime } = await world.json<RuntimeStartedJson>([
    ...['runtime', 'start', 'reviewer', '--agent', 'scripted'],
  ])
  return { world, runtime }
}

async function hears(world: World, file: string): Promise<void> {
  await world.ok(['send', NAME, `do: write ${file} heard`])
  await waitFor(file, () => textIn(world, file).includes('heard'), PATIENCE_MS)
}

test('a person who starts another program in its pane makes room for the agent again', async () => {
  const { world, runtime } = await started()
  await hears(world, 'one.txt')
  await world.tmux('respawn-pane', '-k', '-t', runtime.tmux_target, 'sleep', '1000')
  await waitFor(
    'it to be back',
    async () => {
      const { state, pid } = await see(world)
      return state === 'ready' && pid !== null && pid !== runtime.pid
    },
    PATIENCE_MS,
  )
  await hears(world, 'two.txt')
})

test('a pane that a person renamed or moved is put back where the registry has it; the agent lives on', async () => {
  const { world, runtime } = await started()
  const { tmux_target: target } = runtime
  const pane = (await world.tmux('display-message', '-p', '-t', target, '#{pane_id}')).trim()
  const where = async () =>
    (
      await world.tmux('display-message', '-p', '-t', pane, '#{session_name}:#{window_name}.#{pane_index}')
    ).trim()
  let drifts = 0
  const isPutBack = async () => {
    drifts++
    await waitFor('the drift to be counted', async () => (await see(world)).drifts === drifts, PATIENCE_MS)
    expect(await where()).toBe(target)
    await hears(world, `after-${drifts}.txt`)
  }

  await world.tmux('rename-window', '-t', pane, 'my: window')
  await isPutBack()

  await world.tmux('new-session', '-d', '-s', 'mine', 'sleep', '1000')
  await world.tmux('move-window', '-d', '-s', pane, '-t', '=mine:')
  await isPutBack()

  await world.tmux('join-pane', '-d', '-s', pane, '-t', '=mine:')
  await isPutBack()

  const beside = (
    await world.tmux('split-window', '-d', '-b', '-P', '-F', '#{pane_id}', '-t', pane, 'sleep', '1000')
  ).trim()
  await isPutBack()
  expect(await world.tmux('display-message', '-p', '-t', beside, '#{window_name}.#{pane_index}')).toContain(
    'reviewer.1',
  )
  expect((await see(world)).pid).toBe(runtime.pid)

  // Somebody took its place: it works on where it is, and that is told once.
  await world.tmux('break-pane', '-d', '-s', pane, '-t', '=mine:')
  drifts++
  await waitFor('the drift to be counted', async () => (await see(world)).drifts === drifts, PATIENCE_MS)
  await hears(world, 'elsewhere.txt')
  expect((await see(world)).drifts).toBe(drifts)
  await world.tmux('kill-pane', '-t', beside)
  await isPutBack()
  const { entries } = await world.json<{ entries: { detail: string }[] }>([
    ...['audit', '--kind', 'registry_drift'],
  ])
  expect(entries).toHaveLength(drifts)
  expect(entries.map(({ detail }) => detail)).toContain(
    `${NAME}: its pane is not in its window, but in window my: window: it was put back`,
  )
})
