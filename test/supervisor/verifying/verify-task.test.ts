import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { moveTask } from '../../../src/changes/move-task.ts'
import { asRunId, type TaskId } from '../../../src/domain/names/ids.ts'
import { parseContract } from '../../../src/domain/verify/contract.ts'
import { killTask } from '../../../src/supervisor/orders/kill-task.ts'
import { createTask } from '../../../src/supervisor/starting/create-task.ts'
import { verifyNow } from '../../../src/supervisor/verifying/verify-now.ts'
import { resumeVerifications, verifyTask } from '../../../src/supervisor/verifying/verify-task.ts'
import { startCore } from '../../helpers/core-world.ts'
import { storeLaunch } from '../../helpers/stored-launch.ts'
import { waitFor } from '../../helpers/wait-for.ts'

type World = Awaited<ReturnType<typeof startCore>>
const env = { PATH: process.env.PATH! }
const never = new AbortController().signal

const create = async (
  { core, config, request }: World,
  checks: unknown[],
  setEnv: Record<string, string> = {},
) => {
  const asked = { ...request('do: say hi'), callerEnv: env, setEnv, verify: parseContract(checks) }
  return (await createTask(asked, config, core)).id
}

/** As if a run had just ended well. */
async function finishRun(id: TaskId, number: number, { core }: World): Promise<void> {
  const at = core.clock.now()
  const runId = asRunId(core.ids.run())
  const move = { id, reason: 'test', evidence: [], at }
  await storeLaunch(id, runId, core, { number, set: { sessionId: 'session-1' } })
  await core.store.commit({
    run: { id: runId, from: 'launching', event: 'exited', set: { endedAt: at, exitCode: 0 } },
    task: moveTask({ ...move, from: 'running', event: 'verifying' }),
  })
}

const inHome = ({ home }: World) => [...readdirSync(home.runs), ...readdirSync(home.exits)]

test('verified work is completed, and nothing of the verification is left', async () => {
  const world = await startCore()
  writeFileSync(join(world.project, 'made'), 'x')
  const id = await create(world, [{ file: 'made' }, { command: 'test -e made' }])
  await finishRun(id, 1, world)
  await verifyTask(id, world.core)
  const task = (await world.core.store.task(id))!
  expect(task).toMatchObject({ status: 'completed', verification: { verified: true, rounds: 0 } })
  expect(task.reason).toBe('the agent finished, and its work passed verification')
  expect(inHome(world)).toEqual([])
  const told = (await world.core.store.events(0, 100, id)).find(({ kind }) => kind === 'verified')
  expect(told?.data).toMatchObject({
    verified: true,
    checks: [{ check: 'file made' }, { check: 'command test -e made' }],
  })
})

test('work that fails is sent back with the output, twice while it changes, then it has failed as incomplete', async () => {
  const world = await startCore()
  const { core, project } = world
  const id = await create(world, [{ command: ['sh', '-c', 'echo 1 failing; exit 1'] }])
  for (const round of [1, 2]) {
    writeFileSync(join(project, 'work'), `${round}`)
    await finishRun(id, round, world)
    await verifyTask(id, core)
    const task = (await core.store.task(id))!
    expect(task).toMatchObject({
      status: 'pending',
      phase: 'queued',
      verification: { verified: false, rounds: round },
    })
    expect(task.phase === 'queued' && task.goOn?.say).toContain(
      '- command sh -c echo 1 failing; exit 1: exited with code 1\n  > 1 failing',
    )
  }
  writeFileSync(join(project, 'work'), 'three')
  await finishRun(id, 3, world)
  await verifyTask(id, core)
  const task = (await core.store.task(id))!
  expect(task).toMatchObject({ status: 'failed', verification: { verified: false, rounds: 2 } })
  expect(task.reason).toMatch(/^incomplete: .* \(sent back 2 times\)$/)
  expect((await core.store.transitions(id)).at(-1)?.evidence).toEqual([
    { source: 'verifier', fact: 'command sh -c echo 1 failing; exit 1: exited with code 1' },
  ])
})

test('when the agent changed nothing it is not sent back again', async () => {
  const world = await startCore()
  const id = await create(world, [{ command: 'false' }])
  await finishRun(id, 1, world)
  await verifyTask(id, world.core)
  await finishRun(id, 2, world)
  await verifyTask(id, world.core)
  expect((await world.core.store.task(id))!.reason).toContain('nothing changed since it was sent back')
})

test('called twice, or after the task moved on, it does what it does once', async () => {
  const world = await startCore()
  const id = await create(world, [{ command: ['sh', '-c', 'echo x >>starts'] }])
  await finishRun(id, 1, world)
  await Promise.all([verifyTask(id, world.core), verifyTask(id, world.core)])
  await verifyTask(id, world.core)
  expect(readFileSync(join(world.project, 'starts'), 'utf8')).toBe('x\n')
  const events = (await world.core.store.transitions(id)).map(({ event }) => event)
  expect(events).toEqual(['created', 'launched', 'verifying', 'completed'])
})

test('a daemon that starts goes on with what was being verified', async () => {
  const world = await startCore()
  const id = await create(world, [{ command: 'true' }])
  await finishRun(id, 1, world)
  await resumeVerifications(world.core)
  await waitFor('its end', async () => (await world.core.store.task(id))!.status === 'completed')
})

test('a task that is killed while it is verified ends, and so does the command', async () => {
  const world = await startCore()
  const { core, project } = world
  const id = await create(world, [{ command: ['sh', '-c', 'echo $$ >pid; exec sleep 600'] }])
  await finishRun(id, 1, world)
  const verified = verifyTask(id, core)
  const pidFile = join(project, 'pid')
  const pid = await waitFor('the command', () => existsSync(pidFile) && readFileSync(pidFile, 'utf8').trim())
  await killTask(id, { by: 'me', reason: 'Killed' }, core)
  await verified
  expect((await core.store.task(id))!.status).toBe('cancelled')
  expect(existsSync(`/proc/${pid}`)).toBe(false)
  expect(inHome(world)).toEqual([])
})

test('commands get what the task was given, but no secrets and nothing of the agent’s own', async () => {
  const world = await startCore()
  const id = await create(world, [{ command: ['sh', '-c', 'env >env; true'] }], {
    NEEDED: 'yes',
    MY_TOKEN: 'hunter2',
    DATABASE_URL: 'postgres://u:hunter2@h/d',
  })
  await finishRun(id, 1, world)
  await verifyTask(id, world.core)
  const seen = readFileSync(join(world.project, 'env'), 'utf8')
  expect(seen).toContain('NEEDED=yes\n')
  expect(seen).not.toContain('hunter2')
})

test('verifying on request tells, and moves nothing', async () => {
  const world = await startCore()
  const { core } = world
  const id = await create(world, [{ file: 'made' }, { command: 'true' }])
  const told = await verifyNow((await core.store.task(id))!, {}, core, never)
  expect(told.checks.map(({ ok }) => ok)).toEqual([false, true])
  expect(await core.store.task(id)).toMatchObject({ status: 'pending', verification: null })
  expect(inHome(world)).toEqual([])
})

test('a task without a contract cannot be verified', async () => {
  const { core, config, request } = await startCore()
  const task = await createTask(request('x'), config, core)
  await expect(verifyNow(task, {}, core, never)).rejects.toMatchObject({ code: 'VERIFY_INVALID' })
})

test('a run may not have commands run, and a schema that cannot be checked is refused at once', async () => {
  const { core, config, request } = await startCore()
  const asked = (verify: unknown[]) => ({ ...request('x'), verify: parseContract(verify) })
  await expect(
    createTask({ ...asked([{ command: 'true' }]), under: 'default' }, config, core),
  ).rejects.toMatchObject({ code: 'NOT_ALLOWED_FOR_RUN' })
  await expect(createTask(asked([{ schema: { if: {} } }]), config, core)).rejects.toMatchObject({
    code: 'VERIFY_INVALID',
  })
})
