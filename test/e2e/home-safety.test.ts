// What another user on the same machine can do to a home: nothing.
import { spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { secondUser } from '../helpers/second-user.ts'
import { tempDir } from '../helpers/temp-dir.ts'
import { waitFor } from '../helpers/wait-for.ts'
import { startWorld } from '../helpers/world.ts'

const COMMANDS = [['list'], ['run', 'do: finish ok'], ['up'], ['down'], ['status', 'x'], ['config', 'show']]

test('a home that others can write to is refused by every command, with the chmod line, which then helps', async () => {
  const world = await startWorld()
  mkdirSync(world.home)
  chmodSync(world.home, 0o777)
  for (const command of COMMANDS) {
    const said = await world.cli(command)
    expect(said, command.join(' ')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('(HOME_UNSAFE)'),
    })
    expect(said.stderr).toContain(`Run: chmod 700 ${world.home}`)
  }
  expect(existsSync(join(world.home, 'daemon.log'))).toBe(false)
  const doctor = await world.cli(['doctor'])
  expect(doctor).toMatchObject({ code: 1, stdout: expect.stringMatching(/FAIL {2}private .*mode 0777/) })
  expect(doctor.stdout).toContain(`Try: chmod 700 ${world.home}`)
  chmodSync(world.home, 0o700)
  await world.ok(['list'])
})

test('the daemon itself refuses such a home, also when no command started it', async () => {
  const world = await startWorld()
  mkdirSync(world.home)
  chmodSync(world.home, 0o755)
  const script = join(import.meta.dirname, '../../dist/daemon.js')
  const daemon = spawn(process.execPath, [script, '--home', world.home], { env: world.env })
  let said = ''
  daemon.stderr.on('data', (text) => (said += text))
  expect(await new Promise((ended) => daemon.once('exit', ended))).toBe(1)
  expect(JSON.parse(said)).toMatchObject({ fatal: { code: 'HOME_UNSAFE' } })
})

test("another user's socket gets nothing, least of all a secret", async (context) => {
  const other = secondUser() ?? context.skip('only root can act as another user')
  const world = await startWorld()
  const dir = tempDir()
  chmodSync(dir, 0o1777)
  const home = join(dir, 'h')
  other.as('mkdir', '-m', '777', home)
  const heard = join(home, 'heard')
  const listener = `require('net').createServer((one) => one.on('data', (bytes) => require('fs').appendFileSync(${JSON.stringify(heard)}, bytes))).listen(${JSON.stringify(join(home, 'daemon.sock'))})`
  const fake = spawn(process.execPath, ['-e', listener], { uid: other.uid, gid: other.uid, cwd: '/' })
  onTestFinished(() => void fake.kill('SIGKILL'))
  await waitFor('the other user to listen', () => existsSync(join(home, 'daemon.sock')))
  const env = { HOLDFAST_HOME: home }
  const said = await world.cli(['run', 'do: finish ok', '--env', 'SECRET=hunter2'], { env })
  expect(said).toMatchObject({ code: 1, stderr: expect.stringContaining('belongs to nobody') })
  // Also when the home is ours again, and only the socket is still theirs.
  const ours = join(dir, 'ours')
  mkdirSync(ours, { mode: 0o777 })
  chmodSync(ours, 0o777)
  other.as('ln', '-s', join(home, 'daemon.sock'), join(ours, 'daemon.sock'))
  chmodSync(ours, 0o700)
  const again = await world.cli(['run', 'x', '--env', 'SECRET=hunter2'], { env: { HOLDFAST_HOME: ours } })
  expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining('daemon.sock belongs to nobody') })
  expect(existsSync(heard)).toBe(false)
})

test('a home that was opened while the daemon runs starts nothing until it is closed again', async (context) => {
  const world = await startWorld()
  await world.ok(['up'])
  chmodSync(world.root, 0o711)
  chmodSync(world.home, 0o777)
  const other = secondUser()
  if (other === undefined) return context.skip('only root can act as another user')
  // The shims of all later runs would be theirs.
  const swap = 'mv "$1/runs" "$1/mine"; mkdir -m 777 "$1/runs"'
  const id = await createQueued(world)
  other.sh(swap, world.home)
  expect(statSync(join(world.home, 'runs')).uid).toBe(other.uid)
  expect(await world.status(id)).toMatchObject({ phase: 'queued', started_at: null })
  expect(world.heard()).toEqual([])
  other.sh('rmdir "$1/runs"; mv "$1/mine" "$1/runs"', world.home)
  chmodSync(world.home, 0o700)
  await world.untilStatus(id, 'COMPLETED')
})

async function createQueued(world: Awaited<ReturnType<typeof startWorld>>): Promise<string> {
  const body = { prompt: 'do: finish ok', dir: world.project, allow_dir: true, env: world.env }
  const { task } = await world.daemon.call('POST /api/tasks', { body })
  await waitFor('the launch to be refused', () =>
    readFileSync(join(world.home, 'daemon.log'), 'utf8').includes('is open to other users'),
  )
  return task.session_id
}

test('what another user left in the home while it was open keeps the daemon from starting, and is named', async (context) => {
  const other = secondUser() ?? context.skip('only root can act as another user')
  const world = await startWorld()
  const dir = tempDir()
  chmodSync(dir, 0o1777)
  const home = join(dir, 'h')
  mkdirSync(home)
  chmodSync(home, 0o777)
  other.as('mkdir', '-m', '777', join(home, 'runs'))
  chmodSync(home, 0o700)
  const said = await world.cli(['list'], { env: { HOLDFAST_HOME: home } })
  expect(said).toMatchObject({ code: 1, stderr: expect.stringContaining(`${home}/runs belongs to nobody`) })
})

test('settings that another user could have written are not followed', async () => {
  const world = await startWorld()
  const config = join(world.user, '.config/holdfast/config.yaml')
  chmodSync(config, 0o666)
  const said = await world.cli(['list'])
  expect(said).toMatchObject({ code: 1, stderr: expect.stringContaining('(CONFIG_UNSAFE)') })
  expect(said.stderr).toContain(`${config} can be changed by other users (mode 0666). Run: chmod`)
  chmodSync(config, 0o644)
  chmodSync(join(world.user, '.config'), 0o777)
  expect((await world.cli(['list'])).stderr).toContain('.config can be changed by other users')
  const doctor = await world.cli(['doctor'])
  expect(doctor).toMatchObject({ code: 1, stdout: expect.stringContaining('.config can be changed') })
  chmodSync(join(world.user, '.config'), 0o755)
  writeFileSync(config, 'agent: scripted\n')
  await world.ok(['list'])
})
