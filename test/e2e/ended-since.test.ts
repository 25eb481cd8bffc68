// What ended since a time, by its end: whatever was created when.
import { expect, test } from 'vitest'
import type { TaskListJson } from '../../src/protocol/json/task-json.ts'
import { untilPhase } from '../helpers/faults.ts'
import { startWorld, type World } from '../helpers/world.ts'

const idsOf = ({ tasks }: Pick<TaskListJson, 'tasks'>) => tasks.map(({ session_id }) => session_id)

/** The one that was created first ends last. `before`: a time between the two ends. */
async function crossed(world: World) {
  const old = await world.run('do: hang', '--title', 'Old')
  await untilPhase(world, old, 'working')
  const young = await world.run('do: finish ok', '--title', 'Young')
  await world.untilStatus(young, 'COMPLETED')
  const between = new Date().toISOString()
  await world.ok(['kill', old, '--force'])
  await world.untilStatus(old, 'KILLED')
  return { old, young, between }
}

test('list --ended-since shows the session that ended last first, with its end; others and their totals are left out', async () => {
  const world = await startWorld()
  const { old, young, between } = await crossed(world)
  const living = await world.run('do: hang')
  expect(idsOf(await world.json<TaskListJson>(['list']))).toEqual([living, young, old])
  const listed = await world.json<TaskListJson>(['list', '--ended-since', '1h'])
  expect(idsOf(listed)).toEqual([old, young])
  expect(listed).toMatchObject({ totals: { total: 2, completed: 1, killed: 1, running: 0 }, next: null })
  expect(idsOf(await world.json<TaskListJson>(['list', '--ended-since', between]))).toEqual([old])
  expect(await world.ok(['list', '--ended-since', '2099-01-01'])).toBe('No sessions found\n')

  const first = await world.json<TaskListJson>(['list', '--ended-since', '1h', '--limit', '1'])
  expect(idsOf(first)).toEqual([old])
  const after = ['--after', first.next!]
  expect(idsOf(await world.json<TaskListJson>(['list', '--ended-since', '1h', ...after]))).toEqual([young])
  const lines = (await world.ok(['list', '--ended-since', '1h', '--limit', '1'])).trimEnd().split('\n')
  expect(lines[0]).toMatch(/^SESSION ID +AGENT +STATUS +ENDED +ELAPSED +ABOUT$/)
  expect(lines[1]).toMatch(new RegExp(`^${old} .*KILLED +\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d .*Old$`))
  expect(lines.at(-1)).toBe('Total: 2 sessions (1 completed, 1 killed)')
})

test('GET /api/tasks and /rows take ended_since with other filters, page by page; nothing that lives has ended', async () => {
  const world = await startWorld()
  const { old, young } = await crossed(world)
  const query = { ended_since: '2025-01-01T00:00:00Z' }
  const { rows } = await world.daemon.call('GET /api/tasks/rows', { query })
  expect(rows.map(({ session_id }) => session_id)).toEqual([old, young])
  for (const row of rows) expect(row.completed_at).toMatch(/^\d{4}-\d\d-\d\dT/)
  const completed = { ...query, status: 'COMPLETED' }
  expect(idsOf(await world.daemon.call('GET /api/tasks', { query: completed }))).toEqual([young])
  const page = await world.daemon.call('GET /api/tasks', { query: { ...query, limit: '1', totals: '0' } })
  expect([idsOf(page), page.totals]).toEqual([[old], null])
  const rest = await world.daemon.call('GET /api/tasks', { query: { ...query, after: page.next! } })
  expect([idsOf(rest), rest.next]).toEqual([[young], null])
  expect(await world.daemon.call('GET /api/tasks/active', { query })).toMatchObject({
    tasks: [],
    totals: { total: 0 },
  })
})

test('bad times, and a place of a list in another order, are refused in words', async () => {
  const world = await startWorld()
  await crossed(world)
  expect(await world.cli(['list', '--ended-since', 'yesterday'])).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/Option --ended-since: 'yesterday' is neither a duration .* \(USAGE\)/),
  })
  await expect(
    world.daemon.call('GET /api/tasks', { query: { ended_since: 'yesterday' } }),
  ).rejects.toMatchObject({
    code: 'INVALID_REQUEST',
    message: expect.stringContaining("'ended_since' must be an ISO 8601 time"),
  })
  const since = { ended_since: '2025-01-01T00:00:00Z' }
  const { next: byEnd } = await world.daemon.call('GET /api/tasks', { query: { ...since, limit: '1' } })
  const { next: byAge } = await world.daemon.call('GET /api/tasks', { query: { limit: '1' } })
  for (const query of [{ after: byEnd! }, { ...since, after: byAge! }])
    await expect(world.daemon.call('GET /api/tasks', { query })).rejects.toMatchObject({
      code: 'INVALID_REQUEST',
      message: expect.stringContaining("'after' is of a list in another order"),
    })
})
