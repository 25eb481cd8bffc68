// Requests that make or order something, sent again with their key: each is done once, over kill -9 of the daemon, and is
// answered with the same thing; with another body the key is refused.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { connect } from '../../src/client/node.ts'
import type { Route } from '../../src/protocol/api.ts'
import { isKeyed } from '../../src/protocol/repeats.ts'
import { openApi, operations } from '../../src/server/contract/openapi.ts'
import { waitFor } from '../helpers/wait-for.ts'
import { startWorld, type World } from '../helpers/world.ts'

/** Of many routes: each recipe knows its own. */
type Answer = ReturnType<typeof JSON.parse>
type Sent = { readonly id?: string; readonly body?: object }
type Recipe = Sent & {
  readonly route: Route
  /** What of the answer names the thing that was made. */
  readonly same: (answer: Answer) => unknown
  /** Another request, which may not have the same key. */
  readonly other: Sent & { readonly route?: Route }
  /** How often it was done. */
  readonly count: () => Promise<number>
}

const askerOf = (world: World) => {
  const holdfast = connect({ home: world.home })
  return (route: Route, { id, body }: Sent, key: string): Promise<Answer> =>
    holdfast.call(route as never, { id, body } as never, { key } as never) as Promise<Answer>
}

const untilPhase = (world: World, id: string, phase: string) =>
  waitFor(`${id} to be ${phase}`, async () => (await world.status(id)).phase === phase)

/** One for each route that takes a key, in a house where each of them has something to do. */
async function recipesIn(world: World): Promise<Recipe[]> {
  const { daemon, env, project: dir } = world
  const start = (prompt: string, ...flags: string[]) => world.run(prompt, ...flags)
  const talker = await start('do: say hello', '--converse')
  const asker = await start('do: ask One? | Yes | No\ndo: ask Two? | Yes | No', '--converse')
  const typist = await start('do: say hello', '--mode', 'interactive')
  const [killed, told] = [await start('do: hang'), await start('do: hang', '--converse')]
  const taken = await start('do: hang')
  const finished = await start('do: say hello', '--converse')
  const [resumed, retried] = [await start('do: fail no'), await start('do: fail no')]
  // Of another account, so that its limit holds nobody else.
  const parked = await start('do: limit 600', '--env', 'SCRIPTED_AGENT_ACCOUNT=other')
  const ended = await start('do: finish ok')
  for (const id of [talker, finished, typist]) await untilPhase(world, id, 'idle')
  await untilPhase(world, told, 'working')
  await untilPhase(world, asker, 'asking')
  await untilPhase(world, taken, 'working')
  await untilPhase(world, parked, 'parked')
  for (const id of [resumed, retried]) await world.untilStatus(id, 'FAILED')
  await world.untilStatus(ended, 'COMPLETED')
  const thread = await daemon.call('POST /api/threads', { body: { title: 'a thread' } })
  mkdirSync(join(world.root, 'more'))

  const ordersOf = async (id: string, kind: string) =>
    (await daemon.call('GET /api/tasks/:id/orders', { id })).orders.filter((one) => one.kind === kind).length
  const order = (kind: string, id: string, body?: object): Recipe => ({
    route: `POST /api/tasks/:id/${kind}` as Route,
    id,
    body,
    same: (answer) => answer.task?.session_id ?? id,
    other: {
      route: `POST /api/tasks/:id/${kind === 'kill' ? 'archive' : 'kill'}`,
      body: kind === 'kill' ? undefined : {},
    },
    count: () => ordersOf(id, kind),
  })
  const audits = async (kind: string) =>
    (await daemon.call('GET /api/audit', { query: { kind } })).entries.length

  return [
    {
      route: 'POST /api/tasks',
      body: { prompt: 'do: say one', dir, env, title: 'made once' },
      same: ({ task }) => task.session_id,
      other: { body: { prompt: 'do: say two', dir, env, title: 'made once' } },
      count: async () =>
        (await daemon.call('GET /api/tasks', { query: {} })).tasks.filter(
          ({ title }) => title === 'made once',
        ).length,
    },
    {
      route: 'POST /api/tasks/:id/inputs',
      id: talker,
      body: { prompt: 'do: say more', reason: 'news' },
      same: ({ trigger_id, number }) => [trigger_id, number],
      other: { body: { prompt: 'do: say more', reason: 'other' } },
      count: async () => (await daemon.call('GET /api/triggers', { query: { to: talker } })).triggers.length,
    },
    {
      route: 'POST /api/tasks/:id/inputs',
      id: told,
      body: { end: true },
      same: ({ number }) => number,
      other: { body: { prompt: 'do: say more' } },
      count: () => audits('end_sent'),
    },
    {
      route: 'POST /api/tasks/:id/answer',
      id: asker,
      body: { choice: 'Yes' },
      same: ({ question, answer }) => [question.number, answer],
      other: { body: { choice: 'No' } },
      count: () => audits('question_answered'),
    },
    {
      route: 'POST /api/tasks/:id/keys',
      id: typist,
      body: { keys: ['Left'] },
      same: (answer) => answer,
      other: { body: { keys: ['Right'] } },
      count: () => audits('keys_pressed'),
    },
    { ...order('kill', killed, { reason: 'enough' }), other: { body: { reason: 'another' } } },
    order('finish', finished),
    order('resume', resumed, { env }),
    order('retry', retried, { env }),
    order('takeover', taken),
    order('unpark', parked),
    order('archive', ended),
    {
      route: 'POST /api/runtimes',
      body: { role: 'helper', agent: 'scripted', dir, env },
      same: ({ runtime, how }) => [runtime.runtime_id, how],
      other: { body: { role: 'helper', agent: 'scripted', dir, env, seed: 'do: say hello' } },
      count: async () => (await daemon.call('GET /api/runtimes', { query: {} })).runtimes.length,
    },
    {
      route: 'POST /api/threads',
      body: { title: 'opened once', members: ['person:bob'] },
      same: ({ thread_id }) => thread_id,
      other: { body: { title: 'opened once', members: ['person:eve'] } },
      count: async () =>
        (await daemon.call('GET /api/threads', { query: {} })).threads.filter(
          ({ title }) => title === 'opened once',
        ).length,
    },
    {
      route: 'POST /api/threads/:id/messages',
      id: thread.thread_id,
      body: { text: 'hello' },
      same: ({ message }) => message.number,
      other: { body: { text: 'good-bye' } },
      count: async () =>
        (await daemon.call('GET /api/threads/:id/messages', { id: thread.thread_id, query: {} })).messages
          .length,
    },
    {
      route: 'POST /api/workspaces',
      body: { path: join(world.root, 'more') },
      same: (answer) => answer,
      other: { body: { path: join(world.root, 'more'), slug: 'other' } },
      count: async () =>
        (await daemon.call('GET /api/workspaces')).workspaces.filter(({ path }) => path.endsWith('/more'))
          .length,
    },
    {
      route: 'POST /api/web/tokens',
      body: { name: 'ci', expires_in_seconds: 600 },
      same: (answer) => answer,
      other: { body: { name: 'ci', expires_in_seconds: 60 } },
      count: async () => (await daemon.call('GET /api/web/tokens')).tokens.length,
    },
    // After the takeover, of the same session.
    order('handback', taken),
  ]
}

test('what the document says is made takes a key, and so does every order', () => {
  const { paths } = openApi('0') as {
    paths: Record<string, Record<string, { parameters: { name: string }[] }>>
  }
  for (const route of Object.keys(operations) as Route[]) {
    const [method = '', path = ''] = route.split(' ')
    const { parameters } = paths[path.replace(':id', '{id}')]![method.toLowerCase()]!
    const says = parameters.some(({ name }) => name === 'idempotency-key')
    expect({ route, says }).toEqual({ route, says: isKeyed(route) })
    if (operations[route].status === 201) expect({ route, says }).toEqual({ route, says: true })
  }
})

test('each request with a key is done once, also when the daemon is killed before it comes again', {
  timeout: 60_000,
}, async () => {
  const world = await startWorld()
  const recipes = await recipesIn(world)
  const ask = askerOf(world)
  expect([...new Set(recipes.map(({ route }) => route))].sort()).toEqual(
    (Object.keys(operations) as Route[]).filter(isKeyed).sort(),
  )
  const keyOf = (recipe: Recipe) => `key-${recipes.indexOf(recipe)}`
  const first = new Map<Recipe, unknown>()
  for (const recipe of recipes) {
    const before = await recipe.count()
    // Twice at once, as a client that lost its patience would.
    const answers = await Promise.all([1, 2].map(() => ask(recipe.route, recipe, keyOf(recipe))))
    const [one, two] = answers.map(recipe.same)
    expect({ route: recipe.route, same: two }).toEqual({ route: recipe.route, same: one })
    expect({ route: recipe.route, done: (await recipe.count()) - before }).toEqual({
      route: recipe.route,
      done: 1,
    })
    first.set(recipe, one)
    if (recipe.route.endsWith('takeover'))
      await waitFor(
        'it to be taken over',
        async () => (await world.status(recipe.id!)).mode === 'interactive',
      )
  }
  await world.killDaemon()
  await world.ok(['up'])
  for (const recipe of recipes) {
    const { route, other } = recipe
    const before = await recipe.count()
    const again = recipe.same(await ask(route, recipe, keyOf(recipe)))
    expect({ route, again }).toEqual({ route, again: first.get(recipe) })
    const elsewhere = ask(other.route ?? route, { id: recipe.id, ...other }, keyOf(recipe))
    await expect(elsewhere, `${route} with another body`).rejects.toMatchObject({
      code: 'KEY_REUSED',
      status: 409,
    })
    expect({ route, done: (await recipe.count()) - before }).toEqual({ route, done: 0 })
  }
})
