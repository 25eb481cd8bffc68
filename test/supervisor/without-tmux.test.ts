// A tmux server that dies again and again, or is not there: who needs no terminal works on, who needs one waits.
import { expect, test } from 'vitest'
import { startCoreInTime } from '../helpers/core-in-time.ts'

const MINUTE = 60_000

async function withoutTmux() {
  const world = await startCoreInTime()
  for (let death = 0; death < 3; death++) world.terminal.killServer()
  expect(world.terminal.health()).toBe('given_up')
  return world
}

test('after three deaths of tmux a headless task starts without a window, and an interactive one waits', async () => {
  const { creates, task, apart, terminal, project, core } = await withoutTmux()
  const headless = await creates('work')
  const interactive = await creates('talk', { mode: 'interactive' })
  expect(apart.started).toMatchObject([{ argv: expect.arrayContaining(['apart']), cwd: project }])
  expect(await task(headless)).toMatchObject({ status: 'running' })
  expect(await task(interactive)).toMatchObject({ status: 'pending', runId: null })
  expect(await terminal.panes()).toEqual([])
  const launched = (await core.store.transitions(headless)).find(({ event }) => event === 'launched')
  expect(launched?.evidence).toContainEqual(expect.objectContaining({ source: 'tmux' }))
})

test('when tmux is back, the one that waited starts, and the other gets its window', async () => {
  const { creates, agentStarts, task, terminal, clock, apart, core } = await withoutTmux()
  const headless = await creates('work')
  await agentStarts(headless)
  const interactive = await creates('talk', { mode: 'interactive' })
  await clock.pass(9 * MINUTE)
  expect((await task(interactive)).status).toBe('pending')
  expect(await terminal.panes()).toEqual([])
  await clock.passUntil('it to start', async () => (await task(interactive)).status === 'running', 2 * MINUTE)
  await agentStarts(interactive)
  expect(terminal.specOf(interactive).argv).toContain('tty')
  expect(terminal.specOf(headless).argv).toContain('window')
  await clock.pass(MINUTE)
  expect(await core.store.runsOf(interactive)).toHaveLength(1)
  expect(apart.started).toHaveLength(1)
})

test('a launch that a hung server may still carry out is not done a second time', async () => {
  const { creates, task, terminal, apart, core, clock } = await startCoreInTime()
  terminal.stopServer()
  const id = await creates('work')
  await clock.pass(MINUTE)
  const runs = await core.store.runsOf(id)
  terminal.continueServer()
  await clock.pass(MINUTE)
  const first = runs[0]!
  // What the server opens late finds its claim taken; the next run is another one, with a mark of its own.
  expect(await core.runFiles.claim(first.id)).toBe(false)
  expect((await core.store.run(first.id))!.state).toBe('void')
  expect((await task(id)).runId).not.toBe(first.id)
  expect(apart.started.flatMap(({ argv }) => argv).join(' ')).not.toContain(first.id)
})
