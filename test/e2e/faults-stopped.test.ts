// Processes that are stopped, not dead: who comes back goes on, who does not is ended and resumed, and a tmux server
// that hangs holds up nobody but those who need it.
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import {
  agentPid,
  anotherAgent,
  letGoOn,
  nothingIsLeft,
  recovering,
  TWO_STEPS,
  textIn,
  toldOnce,
  untilStep,
} from '../helpers/faults.ts'
import { isAlive } from '../helpers/is-alive.ts'
import { waitFor } from '../helpers/wait-for.ts'
import type { World } from '../helpers/world.ts'

/** `T`: stopped by a signal. */
const stateOf = (pid: number) => /^\d+ \(.*\) (\w)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1]
const tmuxHealth = async (world: World) => (await world.json<{ tmux: string }>(['up'])).tmux

test('an agent that is stopped and continued goes on as if nothing had been', async () => {
  const world = await recovering()
  const id = await world.run(TWO_STEPS)
  await untilStep(world, 'one\n')
  const pid = await agentPid(world, id)
  process.kill(pid, 'SIGSTOP')
  letGoOn(world)
  await world.killDaemon()
  expect(await world.status(id)).toMatchObject({ status: 'RUNNING', phase: 'working' })
  expect(textIn(world, 'done.txt')).toBe('one\n')
  process.kill(pid, 'SIGCONT')
  expect(await world.untilStatus(id, 'COMPLETED')).toMatchObject({ retries: 0 })
  expect(textIn(world, 'done.txt')).toBe('one\ntwo\n')
  toldOnce(world, 0)
  await nothingIsLeft(world)
})

test('an agent that stays stopped shows no life, is ended although it cannot hear, and resumed', async () => {
  const world = await recovering('stuck.after: 1s\nstuck.quiet: 1s\n')
  const id = await world.run(TWO_STEPS)
  await untilStep(world, 'one\n')
  const pid = await agentPid(world, id)
  process.kill(pid, 'SIGSTOP')
  await anotherAgent(world, id, pid)
  expect(isAlive(pid)).toBe(false)
  letGoOn(world)
  await world.untilStatus(id, 'COMPLETED')
  expect(textIn(world, 'done.txt')).toBe('one\ntwo\n')
  expect(await world.ok(['why', id])).toContain('no sign of life')
  toldOnce(world, 1)
  await nothingIsLeft(world)
})

test('a stopped tmux server is reported and never killed; a headless agent that dies meanwhile is resumed', {
  timeout: 90_000,
}, async () => {
  const world = await recovering()
  const id = await world.run(TWO_STEPS)
  await untilStep(world, 'one\n')
  const tmux = await world.tmuxPid()
  process.kill(tmux, 'SIGSTOP')
  await waitFor('it to be reported', async () => (await tmuxHealth(world)) === 'hung', 30_000)
  const pid = await agentPid(world, id)
  process.kill(pid, 'SIGKILL')
  await anotherAgent(world, id, pid)
  expect(await tmuxHealth(world)).toBe('hung')
  process.kill(tmux, 'SIGCONT')
  await waitFor('it to answer again', async () => (await tmuxHealth(world)) === 'up')
  expect(await world.tmuxPid()).toBe(tmux)
  letGoOn(world)
  await world.untilStatus(id, 'COMPLETED')
  expect(textIn(world, 'done.txt')).toBe('one\ntwo\n')
  toldOnce(world, 1)
  await nothingIsLeft(world)
})

test('a headless run that ends under a stopped tmux server is harvested while it is stopped, and its pane closed when it goes on', {
  timeout: 60_000,
}, async () => {
  const world = await recovering()
  const id = await world.run(TWO_STEPS)
  await untilStep(world, 'one\n')
  const tmux = await world.tmuxPid()
  process.kill(tmux, 'SIGSTOP')
  letGoOn(world)
  await waitFor('its end', async () => (await world.status(id)).status === 'COMPLETED', 20_000)
  expect(textIn(world, 'done.txt')).toBe('one\ntwo\n')
  expect(stateOf(tmux)).toBe('T')
  process.kill(tmux, 'SIGCONT')
  await nothingIsLeft(world)
})
