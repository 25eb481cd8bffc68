// Each a clear error with code and hint, nothing lost, nothing half-made left behind.
import { spawn } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { errorCatalogue } from '../../src/domain/errors/catalogue.ts'
import type { ErrorCode } from '../../src/domain/errors.ts'
import type { TaskListJson } from '../../src/protocol/json/task-json.ts'
import { ask } from '../helpers/raw-requests.ts'
import { waitFor } from '../helpers/wait-for.ts'
import { type Said, startWorld, type World } from '../helpers/world.ts'

function refusedWith(said: Said, code: ErrorCode, ...words: string[]) {
  expect(said).toMatchObject({
    code: errorCatalogue[code].exit,
    stderr: expect.stringContaining(`(${code})`),
  })
  expect(said.stderr).toContain('Try:')
  for (const word of words) expect(said.stderr).toContain(word)
  expect(said.stderr).not.toMatch(/\n\s+at /)
}

async function nothingMade(world: World) {
  expect((await world.json<TaskListJson>(['list'])).tasks).toEqual([])
  expect(
    existsSync(join(world.project, '.holdfast/sessions'))
      ? readdirSync(join(world.project, '.holdfast/sessions'))
      : [],
  ).toEqual([])
  expect(readdirSync(join(world.home, 'tasks'))).toEqual([])
}

test('roles, prompts and directories that are not there or not usable are refused, and nothing is made', async () => {
  const world = await startWorld()
  const file = (name: string, content: string | Buffer) => {
    writeFileSync(join(world.project, name), content)
    return name
  }
  const role = join(world.project, 'agents/real')
  mkdirSync(role, { recursive: true })
  writeFileSync(join(role, 'real-agent.md'), 'You are real.\n')
  refusedWith(
    await world.cli(['create', 'nobody', file('ok.md', 'x')]),
    'ROLE_NOT_FOUND',
    "'nobody' not found in agents/",
  )
  refusedWith(await world.cli(['create', '../../etc', 'ok.md']), 'INVALID_NAME')
  refusedWith(
    await world.cli(['create', 'real', 'missing.md']),
    'PROMPT_NOT_FOUND',
    'Task prompt file not found: ',
  )
  refusedWith(await world.cli(['create', 'real', file('empty.md', ' \n\t ')]), 'PROMPT_EMPTY')
  refusedWith(
    await world.cli(['create', 'real', file('large.md', 'x'.repeat(10 * 1024 * 1024))]),
    'PROMPT_TOO_LARGE',
  )
  refusedWith(
    await world.cli(['create', 'real', file('latin1.md', Buffer.from([0x66, 0xfc, 0x72]))]),
    'PROMPT_NOT_TEXT',
  )
  refusedWith(await world.cli(['run', 'x', '--dir', '/no/such/place']), 'DIRECTORY_NOT_FOUND')
  refusedWith(await world.cli(['run', 'x', '--agent', 'scriptd']), 'AGENT_UNKNOWN')
  refusedWith(await world.cli(['run', 'x', '--add-dir', world.project]), 'AGENT_CANNOT')
  refusedWith(await world.cli(['run', '\u0007\u001b']), 'PROMPT_EMPTY')
  refusedWith(await world.cli(['run', 'x', '--name', 'a/b']), 'INVALID_NAME')
  await nothingMade(world)
})

test('ids with slashes, dots or nothing behind them are refused', async () => {
  const world = await startWorld()
  for (const id of ['../../etc/passwd', 'a/b', '..', "'; drop table tasks; --"])
    refusedWith(await world.cli(['status', id]), 'INVALID_ID')
  for (const command of [['status'], ['logs'], ['screen'], ['kill', '--force']])
    refusedWith(
      await world.cli([command[0]!, '20200101-000000-none', ...command.slice(1)]),
      'TASK_NOT_FOUND',
      'Session not found: 20200101-000000-none',
    )
})

test('a directory outside every workspace is refused to the API, and added with a notice by a person', async () => {
  const world = await startWorld()
  await world.ok(['up'])
  const body = JSON.stringify({ prompt: 'do: finish ok', dir: world.project })
  const byApi = await ask(world, 'POST', '/api/tasks', { body })
  expect([byApi.status, JSON.parse(byApi.body).code]).toEqual([403, 'WORKSPACE_NOT_ALLOWED'])
  const said = await world.cli(['run', 'do: finish ok'])
  expect(said.stdout + said.stderr).toContain('is now an allowed workspace')
  refusedWith(await world.cli(['run', 'x', '--dir', '/']), 'WORKSPACE_TOO_WIDE')
  refusedWith(await world.cli(['workspace', 'rm', 'nothing']), 'WORKSPACE_NOT_FOUND')
})

test('a prompt of shell metacharacters and control bytes arrives as it was written', async () => {
  const world = await startWorld()
  const prompt = `$(touch pwned) \`id\` ; rm -rf / | & > < ' " \\ \x01\x1b[31m\x7f %s %n ünï 🦑\n#{pane_id} ~ !x\nlast line without end`
  const id = await world.run(prompt)
  await world.untilStatus(id, 'COMPLETED')
  expect(world.heard().map(({ heard }) => heard)).toEqual([prompt])
  expect(readdirSync(world.project)).toEqual(['.holdfast'])
})

test('without tmux, list, status and logs work; missing or too old is named, with what to do', async () => {
  const world = await startWorld()
  const id = await world.run('do: say hello\ndo: finish fine')
  await world.untilStatus(id, 'COMPLETED')
  await world.ok(['down'])
  const bin = join(world.root, 'bin')
  mkdirSync(bin)
  symlinkSync(process.execPath, join(bin, 'node'))
  for (const tool of ['sh', 'env', 'cat']) symlinkSync(`/bin/${tool}`, join(bin, tool))
  const without = { env: { PATH: bin } }
  for (const [command, words] of Object.entries({ list: id, status: 'COMPLETED', logs: 'hello' }))
    expect(await world.ok([command, ...(command === 'list' ? [] : [id])], without)).toContain(words)
  expect(await world.ok(['up'], without)).toMatch(/There is no tmux on the PATH\.\s+Install tmux 3\.2/)
  writeFileSync(join(bin, 'tmux'), '#!/bin/sh\necho tmux 2.9a\n')
  chmodSync(join(bin, 'tmux'), 0o755)
  expect(await world.ok(['up'], without)).toContain("says 'tmux 2.9a'; Holdfast needs tmux 3.2 or later")
  const doctor = await world.cli(['doctor'], without)
  expect(doctor.code).toBe(1)
  expect(doctor.stdout).toContain('2.9a')
})

test('a home that cannot be used is refused with the reason', async () => {
  const world = await startWorld()
  writeFileSync(join(world.root, 'file'), '')
  refusedWith(
    await world.cli(['list'], { env: { HOLDFAST_HOME: join(world.root, 'file/home') } }),
    'HOME_NOT_WRITABLE',
  )
  refusedWith(
    await world.cli(['list'], { env: { HOLDFAST_HOME: `/tmp/${'x'.repeat(120)}` } }),
    'HOME_PATH_TOO_LONG',
  )
})

test('a corrupted database is told, and not touched', async () => {
  const world = await startWorld()
  mkdirSync(world.home, { mode: 0o700 })
  const garbage = 'this is not a database '.repeat(200)
  writeFileSync(join(world.home, 'holdfast.db'), garbage)
  refusedWith(await world.cli(['list']), 'STORE_CORRUPT')
  expect(readFileSync(join(world.home, 'holdfast.db'), 'utf8')).toBe(garbage)
})

test('a locked database is told; when it is free again everything goes on', { timeout: 60_000 }, async () => {
  const world = await startWorld()
  const id = await world.run('do: wait-for go\ndo: finish done')
  await waitFor('it to work', async () => (await world.status(id)).phase === 'working')
  const holder = spawn(process.execPath, ['-e', lockScript(), join(world.home, 'holdfast.db')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  try {
    await new Promise((locked) => holder.stdout!.once('data', locked))
    refusedWith(await world.cli(['run', 'do: finish ok']), 'STORE_LOCKED')
    writeFileSync(join(world.project, 'go'), '')
  } finally {
    holder.kill('SIGKILL')
  }
  await world.untilStatus(id, 'COMPLETED')
  expect((await world.json<TaskListJson>(['list'])).tasks).toHaveLength(1)
})

test('settings that are wrong stop the start with file and key', async () => {
  const world = await startWorld({ config: 'maxConcurent: 3\n' })
  refusedWith(await world.cli(['list']), 'CONFIG_INVALID', "unknown key 'maxConcurent'", 'config.yaml')
  const config = join(world.user, '.config/holdfast/config.yaml')
  writeFileSync(config, 'agent: [\n')
  refusedWith(await world.cli(['list']), 'CONFIG_INVALID', 'not valid YAML')
  writeFileSync(config, 'agent: scripted\n')
  mkdirSync(join(world.project, '.holdfast'))
  writeFileSync(join(world.project, '.holdfast/config.yaml'), 'maxConcurrent: 50\n')
  refusedWith(await world.cli(['run', 'do: finish ok']), 'CONFIG_INVALID', 'only be set in your own config')
})

test('a corrupted state.json does not deceive status and is written again, and so is a deleted view', async () => {
  const world = await startWorld({ config: 'reconcile.interval: 200ms\n' })
  const id = await world.run('do: wait-for go\ndo: finish done')
  const { workspace } = await waitFor('it to work', async () => {
    const task = await world.status(id)
    return task.phase === 'working' ? task : undefined
  })
  writeFileSync(join(workspace, 'state.json'), '{"status": "COMPL')
  expect(await world.status(id)).toMatchObject({ status: 'RUNNING' })
  await waitFor(
    'state.json to be whole again',
    () => JSON.parse(tryRead(join(workspace, 'state.json')) || '{}').status === 'RUNNING',
  )
  // Away at once: file by file, the daemon would put them back in between.
  renameSync(join(world.project, '.holdfast'), join(world.root, 'deleted'))
  await waitFor('the whole view to be back', () =>
    ['state.json', 'prompt.md', 'session.log'].every((name) => existsSync(join(workspace, name))),
  )
  writeFileSync(join(world.project, 'go'), '')
  await world.untilStatus(id, 'COMPLETED')
})

test('many created in the same second all get an id of their own', async () => {
  const world = await startWorld()
  await world.ok(['up'])
  const ids = await Promise.all(Array.from({ length: 8 }, () => world.run('do: finish ok', '--name', 'twin')))
  expect(new Set(ids).size).toBe(8)
  const seconds = new Set(ids.map((id) => id.slice(0, '20200101-000000'.length)))
  expect(seconds.size, 'no two were created in the same second').toBeLessThan(8)
  for (const id of ids) await world.untilStatus(id, 'COMPLETED')
})

test('errors are JSON when JSON was asked for', async () => {
  const world = await startWorld()
  const said = await world.cli(['status', '20200101-000000-none', '--json'])
  expect(said.code).toBe(1)
  expect(JSON.parse(said.stdout)).toMatchObject({
    error: { code: 'TASK_NOT_FOUND', hint: expect.any(String) },
  })
})

const tryRead = (path: string) => {
  try {
    const text = readFileSync(path, 'utf8')
    JSON.parse(text)
    return text
  } catch {
    return ''
  }
}

const lockScript = () => `
  const major = parseInt(process.versions.node)
  const { DatabaseSync } = require(major >= 24 ? 'node:sqlite' : ${JSON.stringify(join(import.meta.dirname, '../../node_modules/@photostructure/sqlite'))})
  const database = new DatabaseSync(process.argv[1])
  database.exec('BEGIN EXCLUSIVE')
  console.log('locked')
  setInterval(() => {}, 1000)
`

test('a task in the whole home directory, above it or in / is refused without a terminal to ask on', async () => {
  const world = await startWorld()
  const user = join(world.root, 'user')
  for (const dir of [user, world.root, '/'])
    refusedWith(
      await world.cli(['run', '--dir', dir, 'do: finish']),
      'WORKSPACE_TOO_WIDE',
      `in all of ${dir}.`,
    )
  expect((await world.json<TaskListJson>(['list'])).tasks).toEqual([])
  await world.ok(['workspace', 'add', user])
  expect(await world.ok(['run', '--dir', user, 'do: finish'])).toContain('Session created')
})
