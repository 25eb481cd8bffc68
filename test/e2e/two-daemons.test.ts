// Two homes with one PostgreSQL store: what each daemon says of the other one's sessions is true.
import { expect, test } from 'vitest'
import type { JournalJson } from '../../src/protocol/json/journal-json.ts'
import type { RuntimeJson } from '../../src/protocol/json/runtime-json.ts'
import { usePostgres } from '../helpers/postgres.ts'
import { waitFor } from '../helpers/wait-for.ts'
import { startWorld, type World } from '../helpers/world.ts'

const postgres = usePostgres()

const twoWorlds = async (more = '') => {
  const config = `store.url: ${JSON.stringify(await postgres.freshUrl())}\n${more}`
  return [await startWorld({ config }), await startWorld({ config })] as const
}

/** In the schemas of all tests: ids of nodes are unique. */
async function everywhere(statement: (schema: unknown) => string): Promise<void> {
  const tables = 'select table_schema as schema from information_schema.tables'
  for (const { schema } of await postgres.query(`${tables} where table_name = 'node_signs'`))
    await postgres.query(statement(schema))
}

/** Its daemon is killed, and a minute goes by for the store, in which nothing is heard of it. */
async function fallSilent(world: World): Promise<string> {
  const { node_id: id } = await world.health()
  await world.killDaemon()
  await everywhere((schema) => `update ${schema}.node_signs set at = at - 60000 where node_id = '${id}'`)
  return id
}

test('`down` tells of the sessions of its own daemon alone', async () => {
  const [one, two] = await twoWorlds()
  await one.run('do: hang')
  await one.run('do: hang')
  const id = await two.run('do: hang')
  await two.untilStatus(id, 'RUNNING')
  expect(await two.ok(['down'])).toMatch(/; 1 running session goes on$/m)
  expect(await one.json(['down'])).toMatchObject({ stopped: true, running: 2 })
})

test('runtimes of both daemons are listed, and of a silent one nothing is made up', async () => {
  const [one, two] = await twoWorlds()
  const stand = async (world: World, slug: string) => {
    await world.ok(['workspace', 'add', world.project, '--slug', slug])
    await world.ok(['runtime', 'start', 'reviewer', '--workspace', slug, '--agent', 'scripted'])
  }
  await stand(one, 'first')
  await stand(two, 'second')
  const list = async () => (await one.json<{ runtimes: RuntimeJson[] }>(['runtime', 'list'])).runtimes
  const { node_id } = await two.health()
  expect(await list()).toMatchObject([
    { agent_id: 'reviewer@first', status: 'ready', elsewhere: null },
    { agent_id: 'reviewer@second', status: 'ready', elsewhere: { node_id, silent_since: null } },
  ])
  expect(await one.ok(['runtime', 'list'])).toContain(`(${node_id.slice(0, 8)})`)

  await fallSilent(two)
  const [, silent] = await list()
  const since = Date.parse(silent?.elsewhere?.silent_since ?? '')
  expect(Date.now() - since).toBeGreaterThan(55_000)
  expect(await one.ok(['runtime', 'list'])).toMatch(/^reviewer@second +unknown \(ready\)/m)
  expect(await one.ok(['runtime', 'status', 'reviewer@second'])).toMatch(
    /^State: +unknown \(ready\) since .*\nWhy: +its daemon is not heard of since .*\nNode: .*, not heard of since/m,
  )
  const ready = await one.daemon.call('GET /api/runtimes', { query: { status: 'ready' } })
  expect(ready.runtimes.map(({ agent_id }) => agent_id)).toEqual(['reviewer@first'])
})

test('`list`, `status` and `why` say of a session of a silent daemon that they do not know', async () => {
  const [one, two] = await twoWorlds()
  const working = await two.run('do: hang', '--name', 'hanger')
  await two.untilStatus(working, 'RUNNING')
  await waitFor('its agent to work', async () => (await two.status(working)).phase === 'working')
  const done = await two.run('do: finish ok', '--name', 'ender')
  await two.untilStatus(done, 'COMPLETED')
  const { node_id } = await two.health()
  expect(await one.status(working)).toMatchObject({ elsewhere: { node_id, silent_since: null } })
  expect(await two.status(working)).toMatchObject({ elsewhere: null })
  expect(await one.ok(['list'])).toMatch(/hanger +scripted +RUNNING /)
  for (const command of ['screen', 'logs'])
    expect(await one.cli([command, 'ender'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('(OTHER_NODE)'),
    })
  expect(await one.ok(['status', 'hanger'])).toMatch(/^Tmux: .* \(on \S+ \([0-9a-f-]{8}\)\)$/m)

  await fallSilent(two)
  const list = await one.ok(['list'])
  expect(list).toMatch(/hanger .* RUNNING\? unknown since \d\d:\d\d /)
  expect(list).toMatch(/ender .* COMPLETED /)
  const { rows } = await one.daemon.call('GET /api/tasks/rows', { query: {} })
  expect(rows.find(({ name }) => name === 'hanger')?.elsewhere?.silent_since).toMatch(/^2/)
  for (const command of ['status', 'why']) {
    const said = await one.ok([command, 'hanger'])
    expect(said).toMatch(/RUNNING\? unknown since \d\d:\d\d$/m)
    expect(said).toMatch(/Node: +\S+ \([0-9a-f-]{8}\), not heard of since/)
    expect(said).toMatch(/Next: +not known: nothing was heard of its daemon, on \S+, for 1m/)
  }
  expect(await one.ok(['status', 'ender'])).toMatch(/^Status: +COMPLETED$/m)
})

test('orders for a session of the other daemon are carried out there, also several at once', async () => {
  const [one, two] = await twoWorlds('reconcile.interval: 100ms\n')
  const id = await two.run('do: wait-for never')
  await waitFor('its agent to work', async () => (await two.status(id)).phase === 'working')
  const [takeover, ...kills] = await Promise.all([
    one.cli(['takeover', id]),
    one.cli(['kill', id, '--force']),
    one.cli(['kill', id, '--force']),
    two.cli(['kill', id, '--force']),
  ])
  expect(kills).toMatchObject([{ code: 0 }, { code: 0 }, { code: 0 }])
  expect([0, 1]).toContain(takeover.code)
  expect(await two.status(id)).toMatchObject({ status: 'KILLED', elsewhere: null })
  const { orders } = await two.daemon.call('GET /api/tasks/:id/orders', { id })
  expect(orders.filter(({ kind, state }) => kind === 'kill' && state === 'done')).toHaveLength(3)
  expect(await one.cli(['retry', id])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('(OTHER_NODE)'),
  })
})

test('whoever orders something of a session of a silent daemon is told so; the daemon does it when it is back', async () => {
  const [one, two] = await twoWorlds()
  const id = await two.run('do: wait-for never')
  await waitFor('its agent to work', async () => (await two.status(id)).phase === 'working')
  await fallSilent(two)
  const kill = await one.cli(['kill', id, '--force'])
  expect(kill).toMatchObject({ code: 2, stderr: expect.stringContaining('(NODE_SILENT)') })
  expect(kill.stderr).toMatch(/nothing was heard of the daemon of .*, on \S+ \([0-9a-f-]{8}\), for 1m/)
  await two.ok(['up'])
  await two.untilStatus(id, 'KILLED')
})

test('readers of the journal of a daemon that is gone are named with it, and can be given up', async () => {
  const [one, two] = await twoWorlds('reconcile.interval: 100ms\n')
  await one.ok(['up'])
  await two.untilStatus(await two.run('do: finish ok'), 'COMPLETED')
  const reader = `unread@${(await two.health()).node_id}`
  const readers = async () => (await one.json<JournalJson>(['journal', 'show'])).subscribers
  expect((await readers()).map(({ elsewhere }) => elsewhere)).not.toContainEqual(expect.anything())
  expect(await one.cli(['journal', 'drop', reader])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('is alive'),
  })

  const id = await fallSilent(two)
  // As on a machine that went a year ago, and that an upgrade then gave a reader which never read.
  await everywhere((schema) => `update ${schema}.events set at = at - 3000000000 where node_id = '${id}'`)
  await everywhere(
    (schema) =>
      `update ${schema}.subscribers set place = replace(place::text, '"${id}":', '"none":') where name = '${reader}'`,
  )
  const doctor = async () => (await one.cli(['doctor'])).stdout
  await waitFor('old events to be held', async () => (await one.health()).journal.held_by.includes(reader))
  expect(await doctor()).toMatch(
    new RegExp(`because .*${reader}.* did not handle them[^]*holdfast journal drop`),
  )
  const shown = await one.ok(['journal', 'show'])
  expect(shown).toMatch(new RegExp(`^${reader} +\\d+ +0 +yes`, 'm'))
  expect(shown).toContain(`\`holdfast journal drop ${reader}\``)
  expect(await readers()).toContainEqual(
    expect.objectContaining({ name: reader, elsewhere: expect.objectContaining({ node_id: id }) }),
  )

  await one.ok(['journal', 'drop', reader])
  expect((await readers()).map(({ name }) => name)).not.toContain(reader)
  expect(await one.ok(['audit', '--kind', 'reader_dropped'])).toContain(reader)
  expect(await doctor()).not.toContain(reader)
  expect((await one.cli(['journal', 'drop', reader])).stderr).toContain('No other daemon follows')
})
