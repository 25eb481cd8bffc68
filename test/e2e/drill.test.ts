// The drill itself: what it shows, and that nothing of it stays.
import { existsSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { DrillJson } from '../../src/drill/report.ts'
import { processesBelow } from '../../src/system/processes/processes-below.ts'
import { waitFor } from '../helpers/wait-for.ts'
import { finished, startWorld, type World } from '../helpers/world.ts'

const BLOWS = [
  'agent',
  'tool',
  'shim',
  'pane',
  'tmux',
  'daemon',
  'daemon-and-agent',
  'store-lock',
  'limit',
  'network',
  'reboot',
]
const RESUMED = ['agent', 'daemon-and-agent', 'limit', 'network', 'reboot']

/** Its scratch directories lie in the world's own. */
async function drillWorld() {
  const world = await startWorld()
  const scratch = join(world.root, 't')
  mkdirSync(scratch)
  return { world, scratch, env: { TMPDIR: scratch } }
}

function expectNothingLeft(world: World, scratch: string): void {
  expect(readdirSync(scratch)).toEqual([])
  expect(processesBelow(scratch)).toEqual([])
  expect(existsSync(world.home)).toBe(false)
  expect(readdirSync(world.user, { recursive: true }).sort()).toEqual([
    '.config',
    '.config/holdfast',
    '.config/holdfast/config.yaml',
  ])
}

const isHeld = (scratch: string) =>
  readdirSync(scratch).some((dir) => existsSync(join(scratch, dir, 'store-lock/project/held')))

test('whatever is killed, nothing is lost, and nothing of the drill stays', {
  timeout: 300_000,
}, async () => {
  const { world, scratch, env } = await drillWorld()
  const { code, stdout, stderr } = await world.cli(['drill', '--json'], { env })
  const report = JSON.parse(stdout) as DrillJson
  expect(report.blows.flatMap(({ name, lost }) => lost.map((words) => `${name}: ${words}`))).toEqual([])
  expect(report).toEqual({
    ok: true,
    agent: 'scripted',
    blows: BLOWS.map((name) => ({
      name,
      about: expect.any(String),
      verdict: 'pass',
      detect_ms: expect.any(Number),
      resume_ms: RESUMED.includes(name) ? expect.any(Number) : null,
      lost: [],
      why: null,
    })),
    passed: BLOWS.length,
    failed: 0,
    skipped: 0,
    median_detect_ms: expect.any(Number),
    median_resume_ms: expect.any(Number),
    kept: null,
  })
  expect(code).toBe(0)
  expect(stderr.match(/^\[\d+\/11\] .+: .+ …$/gm)).toHaveLength(BLOWS.length)
  expectNothingLeft(world, scratch)
})

test('a drill of some blows only shows a table of them, and keeps its scratch home when asked', {
  timeout: 60_000,
}, async () => {
  const { world, scratch, env } = await drillWorld()
  const { code, stdout } = await world.cli(['drill', '--only', 'reboot,agent', '--keep'], { env })
  const [kept] = readdirSync(scratch)
  expect(stdout).toMatch(
    /^BLOW +WHAT WAS DONE +DETECT +RESUME +LOST +VERDICT\nagent .* pass\nreboot .* pass\n\n/,
  )
  expect(stdout).toContain(`2 of 2 passed: nothing lost; `)
  expect(stdout).toContain(`kept in ${join(scratch, kept!)}\n`)
  expect(code).toBe(0)
  expect(existsSync(join(scratch, kept!, 'agent/home/holdfast.db'))).toBe(true)
  expect(processesBelow(scratch)).toEqual([])
})

test.each([
  [['--only', 'agent,dameon'], "no blow 'dameon'; choose from agent, tool, shim,"],
  [['--agent', 'nobody'], "'nobody' is not a value of --agent"],
])('drill %j is refused before anything is made', async (flags, words) => {
  const { world, scratch, env } = await drillWorld()
  expect(await world.cli(['drill', ...flags], { env })).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(words),
  })
  expectNothingLeft(world, scratch)
})

test('an agent that is not installed is an error, not a failed drill', async () => {
  const { world, scratch, env } = await drillWorld()
  const { code, stdout } = await world.cli(['drill', '--agent', 'codex', '--json'], { env })
  expect(JSON.parse(stdout)).toMatchObject({ error: { code: 'AGENT_NOT_INSTALLED' } })
  expect(code).toBe(1)
  expectNothingLeft(world, scratch)
})

test('a run may not drill', async () => {
  const { world, scratch, env } = await drillWorld()
  expect(await world.cli(['drill'], { env: { ...env, HOLDFAST_RUN: 'some-run' } })).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('NOT_ALLOWED_FOR_RUN'),
  })
  expectNothingLeft(world, scratch)
})

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)('a drill ended by %s leaves nothing behind', async (signal, code) => {
  const { world, scratch, env } = await drillWorld()
  const child = world.start(['drill', '--only', 'store-lock'], { env })
  const ended = finished(child)
  await waitFor('the agent to be at work', () => isHeld(scratch))
  expect(processesBelow(scratch).length).toBeGreaterThan(3)
  child.kill(signal)
  expect((await ended).code).toBe(code)
  expectNothingLeft(world, scratch)
})

test('what a drill left that was killed itself is cleared away by the next one', {
  timeout: 60_000,
}, async () => {
  const { world, scratch, env } = await drillWorld()
  const child = world.start(['drill', '--only', 'store-lock'], { env })
  const ended = finished(child)
  await waitFor('the agent to be at work', () => isHeld(scratch))
  child.kill('SIGKILL')
  await ended
  expect(processesBelow(scratch).length).toBeGreaterThan(3)
  expect((await world.cli(['drill', '--only', 'agent'], { env })).code).toBe(0)
  expectNothingLeft(world, scratch)
})
