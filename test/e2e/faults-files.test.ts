// Files deleted or cut under us while an agent works: it goes on, its end is noticed, and nothing is done twice.
import { existsSync, readFileSync, rmSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import {
  agentPid,
  keeperPid,
  letGoOn,
  nothingIsLeft,
  recovering,
  TWO_STEPS,
  textIn,
  toldOnce,
  untilStep,
} from '../helpers/faults.ts'
import { isAlive } from '../helpers/is-alive.ts'
import { removeDir } from '../helpers/remove-dir.ts'
import { waitFor } from '../helpers/wait-for.ts'
import type { World } from '../helpers/world.ts'

async function atWork(script = TWO_STEPS) {
  const world = await recovering()
  const id = await world.run(script)
  await untilStep(world, 'one\n')
  await waitFor('its words to be read', async () =>
    (await world.ok(['logs', id])).includes('tool done: append'),
  )
  const { run_id } = await world.status(id)
  return { world, id, runDir: join(world.home, 'runs', run_id!), pid: await agentPid(world, id) }
}

async function endsOnce(world: World, id: string, continuations: number): Promise<void> {
  const task = await world.untilStatus(id, 'COMPLETED')
  expect(textIn(world, 'done.txt')).toBe('one\ntwo\n')
  toldOnce(world, continuations)
  expect(task.completed_at).not.toBeNull()
  await nothingIsLeft(world)
}

test('an event file that was cut is read on from its end, and that is said', async () => {
  const { world, id, runDir } = await atWork()
  truncateSync(join(runDir, 'events.jsonl'), 0)
  await waitFor('it to be noticed', async () => (await world.ok(['logs', id])).includes('event file was cut'))
  letGoOn(world)
  await endsOnce(world, id, 0)
})

/** Its agent still has it open; the daemon says when it has it, too. */
const untilHeld = (world: World) =>
  waitFor('the daemon to hold the deleted file', () =>
    readFileSync(join(world.home, 'daemon.log'), 'utf8').includes('event file was deleted'),
  )

test('a deleted event file is read where its agent has it open: nothing is lost', async () => {
  const { world, id, runDir } = await atWork()
  rmSync(join(runDir, 'events.jsonl'))
  await untilHeld(world)
  letGoOn(world)
  await world.untilStatus(id, 'COMPLETED')
  expect((await world.ok(['logs', id])).match(/^tool done: append|^result: whole/gm)).toEqual([
    'tool done: append',
    'tool done: append',
    'result: whole',
  ])
  await endsOnce(world, id, 0)
})

test('an event file deleted while no daemon ran hides the result: the agent is resumed to tell it, and repeats nothing', async () => {
  const { world, id, runDir, pid } = await atWork()
  await world.killDaemon()
  rmSync(join(runDir, 'events.jsonl'))
  letGoOn(world)
  await waitFor('the agent to end', () => !isAlive(pid))
  await endsOnce(world, id, 1)
})

test('a deleted run directory takes no agent with it; its exit record is enough', async () => {
  const { world, id, runDir, pid } = await atWork()
  removeDir(runDir)
  expect(isAlive(pid)).toBe(true)
  await untilHeld(world)
  letGoOn(world)
  await endsOnce(world, id, 0)
})

test('without run directory and keeper, the end of an agent is seen by its process', async () => {
  const { world, id, runDir } = await atWork()
  process.kill(keeperPid(world), 'SIGKILL')
  removeDir(runDir)
  await untilHeld(world)
  letGoOn(world)
  await endsOnce(world, id, 0)
})

test('a deleted directory of exit records is made again, and the end of the agent is noticed', async () => {
  const { world, id } = await atWork()
  const exits = join(world.home, 'exits')
  removeDir(exits)
  letGoOn(world)
  await endsOnce(world, id, 0)
  expect(existsSync(exits)).toBe(true)
})

test('a deleted handoff directory is there again before the agent needs it', async () => {
  const script = TWO_STEPS.replace('do: finish', 'do: result {"n":1}\ndo: finish')
  const { world, id } = await atWork(script)
  const view = join(world.project, '.holdfast/sessions', id)
  removeDir(join(world.project, '.holdfast'))
  await waitFor('the view', () => ['state.json', 'prompt.md'].every((name) => existsSync(join(view, name))))
  letGoOn(world)
  await endsOnce(world, id, 0)
  expect(JSON.parse(textIn(world, `.holdfast/sessions/${id}/result.json`))).toEqual({ n: 1 })
  expect(JSON.parse(textIn(world, `.holdfast/sessions/${id}/state.json`))).toMatchObject({
    status: 'COMPLETED',
  })
})
