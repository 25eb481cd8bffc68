// Two homes with one PostgreSQL store: each daemon tells of its own sessions, once, whatever the other one does.
import { expect, test } from 'vitest'
import { startReceiver } from '../channels/http-receiver.ts'
import { freePort } from '../helpers/free-port.ts'
import { usePostgres } from '../helpers/postgres.ts'
import { waitFor } from '../helpers/wait-for.ts'
import { startWorld } from '../helpers/world.ts'

const postgres = usePostgres()

test('a question of one of two daemons is told once over both, answered by its button, and told also when the other one is dead', async () => {
  const ntfy = await startReceiver()
  const url = JSON.stringify(await postgres.freshUrl())
  const start = async () => {
    const port = await freePort()
    const world = await startWorld({
      config: `
store.url: ${url}
server.port: ${port}
notify:
  group: 100ms
  publicUrl: http://127.0.0.1:${port}
  channels:
    phone: {type: ntfy, server: "${ntfy.url}", topic: my-topic}
`,
    })
    await world.ok(['up'])
    return world
  }
  const [one, two] = [await start(), await start()]
  const told = () =>
    ntfy.got.map(({ body }): { title: string; actions?: { url: string; body: string }[] } => JSON.parse(body))
  const tells = (words: string) => waitFor(words, () => told().find(({ title }) => title.includes(words)))
  const ask = (world: typeof one, name: string) =>
    world.run(`do: ask Which ${name}? | red | green`, '--mode', 'interactive', '--name', name)

  // The daemon that came first is not silenced by the second.
  const first = await ask(one, 'colour')
  const { actions = [] } = await tells('Which colour?')
  const { url: button = '', body } = actions[1] ?? {}
  expect((await fetch(button, { method: 'POST', body })).status).toBe(200)
  await waitFor('it to go on', async () => (await one.status(first)).phase === 'idle')
  await ask(two, 'size')
  await tells('Which size?')

  await two.killDaemon()
  await ask(one, 'shape')
  await tells('Which shape?')
  await one.run('do: finish ok', '--name', 'ender')
  await tells('ender completed')
  expect(
    told()
      .map(({ title }) => title)
      .sort(),
  ).toEqual([
    'colour asks: Which colour?',
    expect.stringContaining('ender completed'),
    'shape asks: Which shape?',
    'size asks: Which size?',
  ])
})
