import { request } from 'node:http'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { AuditEntryJson } from '../../src/protocol/json/daemon-json.ts'
import { startWorld, type World } from '../helpers/world.ts'

const entries = async (world: World, ...flags: string[]) =>
  (await world.json<{ entries: AuditEntryJson[] }>(['audit', ...flags])).entries
const kinds = async (world: World, ...flags: string[]) =>
  (await entries(world, ...flags)).map(({ kind }) => kind)

test('who created, killed and was refused what is on record, newest first', async () => {
  const world = await startWorld({ config: 'maxConcurrent: 1\n' })
  const killed = await world.run('do: hang')
  await world.cli(['run', 'do: finish no', '--no-queue'])
  const queued = await world.run('do: finish ok')
  await world.ok(['kill', killed, '--force', '--reason', 'wrong branch'])
  await world.untilStatus(queued, 'COMPLETED')
  const failed = await world.run('do: fail no luck')
  await world.untilStatus(failed, 'FAILED')
  expect(await kinds(world, '--task', killed)).toEqual([
    'task_cancelled',
    'kill_ordered',
    'task_started',
    'task_created',
  ])
  const [started, created] = (await entries(world, '--task', killed)).slice(-2)
  expect(started).toMatchObject({ actor: 'holdfast', detail: 'CREATED → RUNNING' })
  const { task_prompt_file, dir } = await world.status(killed)
  expect(created?.detail).toBe(`scripted in ${dir}, task file ${task_prompt_file}`)
  expect((await kinds(world, '--task', queued)).at(0)).toBe('task_completed')
  expect((await kinds(world, '--task', failed)).at(0)).toBe('task_failed')
  const all = await entries(world)
  expect(all.at(0)).toMatchObject({ kind: 'task_failed', session_id: failed })
  const { created_by } = await world.status(killed)
  expect(all.find(({ kind }) => kind === 'quota_exceeded')).toEqual({
    at: expect.stringMatching(/^\d{4}-.*Z$/),
    kind: 'quota_exceeded',
    session_id: null,
    actor: created_by,
    detail: 'Max concurrent sessions (1) reached',
  })
  expect(created).toMatchObject({ kind: 'task_created', actor: created_by })
  expect(all.find(({ kind }) => kind === 'kill_ordered')).toMatchObject({ actor: created_by })
  const cancelled = all.find(({ kind }) => kind === 'task_cancelled')
  expect(cancelled).toMatchObject({ actor: created_by, detail: expect.stringContaining('wrong branch') })
})

test('the record of a task that was ended at its time limit names the quota', async () => {
  const world = await startWorld({ config: 'reconcile.interval: 200ms\n' })
  const id = await world.run('do: hang', '--max-duration', '1s')
  await world.untilStatus(id, 'KILLED')
  expect(await kinds(world, '--task', id)).toEqual([
    'task_cancelled',
    'quota_exceeded',
    'task_started',
    'task_created',
  ])
})

test('the record can be narrowed by time, kind and number, and is a table for people', async () => {
  const world = await startWorld()
  expect(await world.ok(['audit'])).toBe('No entries found\n')
  const id = await world.run('do: finish ok')
  await world.untilStatus(id, 'COMPLETED')
  expect(await kinds(world, '--since', '1h', '--limit', '1')).toEqual(['task_completed'])
  expect(await entries(world, '--since', '2099-01-01')).toEqual([])
  expect(await kinds(world, '--kind', 'workspace_added')).toEqual(['workspace_added'])
  const lines = (await world.ok(['audit', '--task', id])).split('\n')
  expect(lines[0]).toMatch(/^TIME +KIND +SESSION +WHO +DETAIL$/)
  expect(lines[1]).toMatch(/task_completed/)
})

test('bad filters are refused with their names', async () => {
  const world = await startWorld()
  for (const [flags, message] of [
    [['--since', 'yesterday'], /'yesterday' is neither a duration .* \(USAGE\)/],
    [['--limit', '0'], /'limit' must be a whole number from 1 .* \(INVALID_REQUEST\)/],
    [['--task', 'nothing-like-it'], /\(TASK_NOT_FOUND\)/],
    [['--kind', 'task_faild'], /'task_faild' is not a kind of audit row\. Did you mean 'task_failed'\?/],
    [['--kind', 'bogus'], /The kinds: task_created, .*orphan_removed\. \(USAGE\)/],
  ] as const)
    expect(await world.cli(['audit', ...flags])).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(message),
    })
  expect(await statusOf(world, '/api/audit?since=never')).toBe(400)
})

const statusOf = (world: World, path: string) =>
  new Promise<number | undefined>((resolve, reject) => {
    request({ socketPath: join(world.home, 'daemon.sock'), path }, (response) => {
      response.resume()
      resolve(response.statusCode)
    })
      .on('error', reject)
      .end()
  })
