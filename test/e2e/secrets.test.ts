// What may hold a secret is never shown, whoever asks and however.
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { waitFor } from '../helpers/wait-for.ts'
import { startWorld, type World } from '../helpers/world.ts'

const PASSWORD = 'hunter2-p@ss'

function configure(world: World, ...lines: string[]) {
  writeFileSync(
    join(world.user, '.config/holdfast/config.yaml'),
    ['agent: scripted', 'retries: 0', ...lines].join('\n'),
  )
}

test('config show tells that there is a PostgreSQL password, and not which, also with --json', async () => {
  const world = await startWorld()
  await world.ok(['up'])
  configure(
    world,
    `store.url: postgres://me:${PASSWORD}@127.0.0.1:1/db?sslpassword=${PASSWORD}`,
    `agents: {mine: {argv: [mine, --api-key=${PASSWORD}, 'https://me:${PASSWORD}@x.example/']}}`,
  )
  for (const more of [[], ['--json']]) {
    const shown = await world.ok(['config', 'show', ...more])
    expect(shown).toContain('postgres://me:[redacted]@127.0.0.1:1/db?sslpassword=[redacted]')
    expect(shown).not.toContain('hunter2')
    expect(shown).not.toContain('p@ss')
  }
})

test('config set and config get do not repeat the password either', async () => {
  const world = await startWorld()
  await world.ok(['up'])
  const url = `postgres://me:${PASSWORD}@127.0.0.1:1/db`
  const commands = [
    ['config', 'set', 'store.url', url],
    ['config', 'get', 'store.url'],
  ]
  for (const command of commands)
    for (const more of [[], ['--json']])
      expect(await world.ok([...command, ...more])).not.toContain('hunter2')
  expect(readFileSync(join(world.user, '.config/holdfast/config.yaml'), 'utf8')).toContain(url)
})

test('a store that cannot be reached is told without its password: on the screen, in JSON, in daemon.log', async () => {
  const world = await startWorld()
  configure(world, `store.url: postgres://me:${PASSWORD}@127.0.0.1:1/db`)
  for (const more of [[], ['--json']]) {
    const said = await world.cli(['list', ...more])
    expect(said.code).toBe(2)
    expect(said.stdout + said.stderr).toContain('STORE_UNREACHABLE')
    expect(said.stdout + said.stderr).not.toContain('hunter2')
  }
  const doctor = await world.cli(['doctor'])
  expect(doctor.stdout + doctor.stderr).not.toContain('hunter2')
  for (const file of ['daemon.log', 'daemon.stderr'])
    expect(readFileSync(join(world.home, file), 'utf8')).not.toContain('hunter2')
})

test("an agent's last words become the reason without the key they name", async () => {
  const world = await startWorld({
    config: "agents: {leaky: {argv: [sh, -c, 'echo refused: api_key=hunter2-key >&2; exit 3']}}\n",
  })
  const id = await world.run('x', '--agent', 'leaky')
  await world.untilStatus(id, 'FAILED')
  for (const command of ['status', 'why'])
    for (const more of [[], ['--json']]) {
      const said = await world.ok([command, id, ...more])
      expect(said).toContain('api_key=[redacted]')
      expect(said).not.toContain('hunter2')
    }
  expect(await world.ok(['audit'])).not.toContain('hunter2')
  expect(await world.ok(['logs', id, '--session'])).not.toContain('hunter2')
})

test('the values of --env are nowhere but in the files of the agent, which go with it', async () => {
  const world = await startWorld()
  const id = await world.run('do: finish ok', '--env', 'MY_SECRET=hunter2-env')
  await world.untilStatus(id, 'COMPLETED')
  for (const command of [
    ['status', id],
    ['why', id],
    ['audit'],
    ['logs', id],
    ['logs', id, '--session'],
    ['list'],
  ])
    for (const more of command[0] === 'logs' ? [[]] : [[], ['--json']])
      expect(await world.ok([...command, ...more]), command.join(' ')).not.toContain('hunter2')
  expect(filesWith(world, 'hunter2-env')).toBe('')
})

test('what a terminal shows is nowhere in the home with its secret: neither unsent text nor the last screen', async () => {
  const world = await startWorld({ config: 'quiet.window: 1s\n' })
  const id = await world.run('do: say ready', '--mode', 'interactive')
  const { tmux_session, run_id } = await waitFor(`${id} to be idle`, async () => {
    const task = await world.status(id)
    return task.phase === 'idle' ? task : undefined
  })
  await world.tmux('send-keys', '-t', `=${tmux_session}:`, '-l', 'mysql --password=hunter2-draft')
  const live = async () => (await world.ok(['screen', id])).includes('hunter2-draft') || undefined
  await waitFor('the draft', live)
  const sent = await world.cli([
    'send',
    id,
    'do: say hello',
    '--json',
    '--wait',
    'submitted',
    '--timeout',
    '2s',
  ])
  expect(JSON.parse(sent.stdout)).toMatchObject({ state: 'deferred', code: 'OPERATOR_BUSY' })
  await waitFor('the reason', async () => (await world.ok(['why', id])).includes('unsent text') || undefined)
  const agent = Number(readFileSync(join(world.home, 'runs', String(run_id), 'pid'), 'utf8').split(' ')[0])
  process.kill(agent, 'SIGKILL')
  await world.untilStatus(id, 'FAILED')
  await waitFor('the last screen', async () => !(await live()))
  expect(await world.ok(['screen', id])).toContain('mysql --password=[redacted]')
  await world.ok(['down'])
  expect(filesWith(world, 'password=')).not.toEqual('')
  expect(filesWith(world, 'hunter2-draft')).toBe('')
}, 60_000)

/** The files of the home and of the project that contain the text, the store's among them. */
const filesWith = (world: World, text: string) =>
  spawnSync('grep', ['-rla', '-e', text, world.home, world.project], { encoding: 'utf8' }).stdout
