import { existsSync, mkdirSync, readdirSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import type { ArchivedJson } from '../../src/protocol/json/order-json.ts'
import type { TaskListJson } from '../../src/protocol/json/task-json.ts'
import { waitFor } from '../helpers/wait-for.ts'
import { startWorld, type World } from '../helpers/world.ts'

type Results = { results: ArchivedJson[] }
const listed = async (world: World, ...flags: string[]) =>
  (await world.json<TaskListJson>(['list', ...flags])).tasks.map(({ session_id }) => session_id)
const archiveOf = (world: World, id: string) => join(world.project, '.holdfast/archive/sessions', id)

test('an archived session leaves the list, and all that it left is still found', async () => {
  const world = await startWorld({ config: 'archive.after: none\n' })
  const id = await world.run('do: flood 1500000\ndo: result {"n":1}\ndo: finish fine')
  const before = await world.untilStatus(id, 'COMPLETED')
  const logs = () =>
    Promise.all([[], ['--raw'], ['--session']].map((flags) => world.ok(['logs', id, ...flags])))
  const saidBefore = await logs()

  const { results } = await world.json<Results>(['archive', id.slice(0, -1)])
  expect(results).toMatchObject([{ already_archived: false, task: { session_id: id } }])
  expect(results[0]!.task.archived_at).toMatch(/^\d{4}-/)
  expect(await world.ok(['archive', id])).toContain('already archived')

  expect(await listed(world)).toEqual([])
  expect(await listed(world, '--archived')).toEqual([id])
  const after = await world.status(id)
  expect(after).toMatchObject({ status: 'COMPLETED', reason: before.reason, workspace: archiveOf(world, id) })
  expect(await world.ok(['status', id])).toContain('Archived:')
  expect(await logs()).toEqual(saidBefore)
  expect(readdirSync(archiveOf(world, id)).sort()).toEqual([
    'output.log.gz',
    'prompt.md',
    'result.json',
    'session.log',
    'state.json',
  ])
  expect(readdirSync(join(world.home, 'runs', after.run_id!)).sort()).toEqual([
    'events.jsonl.gz',
    'launch.json',
    'stderr.log',
  ])
})

test('only what has ended can be archived', async () => {
  const world = await startWorld()
  const id = await world.run('do: hang')
  const refused = await world.cli(['archive', id])
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('TASK_ACTIVE') })
  expect(await listed(world)).toEqual([id])
  expect(await world.cli(['archive'])).toMatchObject({ code: 1, stderr: expect.stringContaining('USAGE') })
})

test('--older-than takes every ended session of that age; a run may not archive', async () => {
  const world = await startWorld()
  const done = await world.run('do: finish ok')
  const failed = await world.run('do: fail no')
  await world.untilStatus(done, 'COMPLETED')
  await world.untilStatus(failed, 'FAILED')
  const asRun = await world.cli(['archive', '--older-than', '1s'], { env: { HOLDFAST_RUN: 'a-run' } })
  expect(asRun.stderr).toContain('NOT_ALLOWED_FOR_RUN')
  expect(await world.ok(['archive', '--older-than', '1h'])).toContain('Nothing to archive')
  await waitFor('both to be archived', async () => {
    await world.ok(['archive', '--older-than', '1s'])
    return (await listed(world)).length === 0
  })
  expect((await listed(world, '--archived')).sort()).toEqual([done, failed].sort())
})

test('completed sessions are archived by their age, others are not', async () => {
  const world = await startWorld({ config: 'archive.after: 1s\nreconcile.interval: 100ms\n' })
  // It ended first: by its age alone it would be archived first.
  const failed = await world.run('do: fail no')
  await world.untilStatus(failed, 'FAILED')
  const done = await world.run('do: finish ok')
  await waitFor('the completed one to be archived', async () =>
    (await listed(world, '--archived')).includes(done),
  )
  const { completed_at, archived_at } = await world.status(done)
  expect(Date.parse(archived_at!) - Date.parse(completed_at!)).toBeGreaterThanOrEqual(1000)
  expect(await listed(world)).toEqual([failed])
})

test('a daemon killed between moving the directory and storing it: the next one finishes', async () => {
  const world = await startWorld({ config: 'archive.after: none\n' })
  const id = await world.run('do: finish ok')
  await world.untilStatus(id, 'COMPLETED')
  await world.killDaemon()
  const view = join(world.project, '.holdfast/sessions', id)
  mkdirSync(dirname(archiveOf(world, id)), { recursive: true })
  renameSync(view, archiveOf(world, id))
  writeFileSync(
    join(world.user, '.config/holdfast/config.yaml'),
    'agent: scripted\narchive.after: 1s\nreconcile.interval: 100ms\n',
  )
  await waitFor('it to be archived', async () => (await world.status(id)).archived_at)
  expect(existsSync(view)).toBe(false)
  expect(readdirSync(archiveOf(world, id))).toContain('state.json')
})

test('a removed session is gone with its files; what has not ended is not removed', async () => {
  const world = await startWorld()
  const alive = await world.run('do: hang')
  const [done, archived] = [
    await world.run('do: finish ok', '--name', 'done'),
    await world.run('do: finish ok'),
  ]
  for (const id of [done, archived]) await world.untilStatus(id, 'COMPLETED')
  const { run_id } = await world.status(done)
  await world.ok(['archive', archived])
  expect(await world.cli(['rm', done])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('CONFIRMATION_NEEDED'),
  })
  expect(await world.cli(['rm', alive, '-f'])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('TASK_ACTIVE'),
  })
  const removed = (await world.ok(['rm', 'done', archived, '--force'])).trim().split('\n')
  expect(removed.sort()).toEqual([done, archived].map((id) => `Session removed: ${id}`).sort())
  for (const id of [done, archived]) {
    expect(await world.cli(['status', id])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('TASK_NOT_FOUND'),
    })
    const left = ['tasks', 'drafts'].map((dir) => join(world.home, dir, id))
    const views = ['sessions', 'archive/sessions'].map((dir) => join(world.project, '.holdfast', dir, id))
    for (const path of [...left, ...views]) expect(existsSync(path), path).toBe(false)
  }
  expect(existsSync(join(world.home, 'runs', run_id!))).toBe(false)
  expect(await listed(world)).toEqual([alive])
  expect(await world.ok(['audit', '--kind', 'task_removed'])).toContain(done)
})

test('prune removes what ended long ago, also from the archive, and counts it first', async () => {
  const world = await startWorld()
  const alive = await world.run('do: hang')
  const ended = [await world.run('do: finish ok'), await world.run('do: fail no')]
  await world.untilStatus(ended[0]!, 'COMPLETED')
  await world.untilStatus(ended[1]!, 'FAILED')
  await world.ok(['archive', ended[0]!])
  expect(await world.ok(['prune', '--older-than', '1h', '--force'])).toBe('Nothing to remove\n')
  const young = ['prune', '--older-than', '1ms']
  const count = async () => (await world.json<{ count: number }>([...young, '--dry-run'])).count
  await waitFor('both to be old enough', async () => (await count()) === 2)
  expect((await world.cli(young)).stderr).toContain('CONFIRMATION_NEEDED')
  expect((await world.json<{ removed: unknown[] }>([...young, '--force'])).removed).toHaveLength(2)
  expect([...(await listed(world)), ...(await listed(world, '--archived'))]).toEqual([alive])
  expect((await world.cli(['prune'])).stderr).toContain('Say how old')
})
