import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { StepVerifiedJson, VerifiedJson } from '../../src/protocol/json/verify-json.ts'
import { waitFor } from '../helpers/wait-for.ts'
import { startWorld } from '../helpers/world.ts'

test('verify holds a task against its contract now, check by check, and exits 0 or 2', async () => {
  const world = await startWorld({ env: { MY_TOKEN: 'hunter2', ANTHROPIC_API_KEY: 'hunter2' } })
  writeFileSync(join(world.project, 'made'), 'x')
  const id = await world.run(
    'do: say hi',
    '--verify',
    'file:made',
    '--verify',
    "cmd:sh -c 'env >env; test -e done'",
  )
  const not = await world.cli(['verify', id])
  expect(not.code).toBe(2)
  expect(not.stdout).toMatch(/^ok +file made\nfails command sh -c .*: exited with code 1\nNot verified: /)
  writeFileSync(join(world.project, 'done'), '')
  const said = await world.json<VerifiedJson>(['verify', id])
  expect(said).toMatchObject({
    session_id: id,
    verified: true,
    checks: [{ ok: true }, { ok: true, why: null }],
  })
  const env = readFileSync(join(world.project, 'env'), 'utf8')
  expect(env).toContain(`HOME=${world.user}`)
  expect(env).not.toContain('hunter2')
})

test('a contract that cannot be one creates no task', async () => {
  const world = await startWorld()
  const { code, stderr } = await world.cli(['run', 'x', '--verify', 'file:/etc/passwd'])
  expect([code, stderr]).toEqual([1, expect.stringContaining('(VERIFY_INVALID)')])
  expect((await world.json<{ tasks: [] }>(['list'])).tasks).toEqual([])
})

test('verify-step answers with .verified, and wants approval for a project’s commands', async () => {
  const world = await startWorld()
  const state = join(world.project, 'state.yaml')
  writeFileSync(state, 'stories: {"5.3": drafted}\n')
  mkdirSync(join(world.project, '.holdfast/steps'), { recursive: true })
  const step = join(world.project, '.holdfast/steps/create.yaml')
  writeFileSync(step, '- status: state.yaml\n  key: [stories, "{story}"]\n  is: drafted\n- command: "true"\n')
  const ask = ['verify-step', 'create', '5.3', '--state-file', state]
  const untrusted = await world.cli([...ask, '--json'])
  expect(JSON.parse(untrusted.stdout).error.code).toBe('NOT_TRUSTED')
  await world.ok(['trust', '--yes', step])
  const said = JSON.parse(await world.ok(ask)) as StepVerifiedJson
  expect(said).toMatchObject({ step: 'create', story: '5.3', source: step, verified: true })
  const other = await world.cli(['verify-step', 'create', '5.4', '--state-file', state])
  expect(other.code).toBe(2)
  expect(JSON.parse(other.stdout).checks[0].why).toBe("has no 'stories.5.4'")
})

test('a task whose contract holds is completed, and its reason says that it was verified', async () => {
  const world = await startWorld()
  writeFileSync(join(world.project, 'made'), 'x')
  const id = await world.run('do: say hi', '--verify', 'cmd:test -e made')
  const task = await world.untilStatus(id, 'COMPLETED')
  expect(task.reason).toBe('the agent finished, and its work passed verification')
})

test('an agent whose work is not verified is told so, and when it changes nothing the task is incomplete', async () => {
  const world = await startWorld()
  const id = await world.run('do: say hi', '--verify', 'file:made')
  const task = await world.untilStatus(id, 'FAILED')
  expect(task.reason).toBe('incomplete: file made: does not exist (nothing changed since it was sent back)')
  const heard = world.heard().map((one) => one.heard)
  expect(heard).toHaveLength(2)
  expect(heard[1]).toContain('- file made: does not exist')
})

test('a daemon that dies over a verification leaves the command running, and the next one waits for it', async () => {
  const world = await startWorld()
  const id = await world.run(
    'do: say hi',
    '--verify',
    "cmd:sh -c 'echo x >>starts; until test -e go; do sleep 0.1; done'",
  )
  await waitFor('the command', () => existsSync(join(world.project, 'starts')))
  await world.killDaemon()
  writeFileSync(join(world.project, 'go'), '')
  await world.untilStatus(id, 'COMPLETED')
  expect(readFileSync(join(world.project, 'starts'), 'utf8')).toBe('x\n')
})
