import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { acceptsConnections, reachDaemon } from '../../../src/cli/starting/reach-daemon.ts'
import { homePaths } from '../../../src/domain/names/home.ts'
import { tempDir } from '../../helpers/temp-dir.ts'

/** A program in the daemon's place: real processes, real sockets, the daemon's exit codes. */
function program(body: string) {
  const dir = tempDir()
  const home = join(dir, 'home')
  const script = join(dir, 'daemon.cjs')
  writeFileSync(script, `const home = process.argv[3]\n${body}`)
  const { socket } = homePaths(home)
  // Whoever listens goes when told so on its socket.
  onTestFinished(
    () => new Promise((gone) => void connect(socket).on('error', gone).on('close', gone).write('go')),
  )
  return { home, script, socket, dir }
}
const LISTENS = `
const server = require('node:net').createServer((one) => one.on('data', () => process.exit(0)).on('error', () => {}))
server.listen(home + '/daemon.sock')`
const env = { PATH: process.env.PATH }

test('the daemon is started with the home, which is made for the owner alone', async () => {
  const { home, script, socket } = program(LISTENS)
  await reachDaemon({ home, script, env })
  expect(await acceptsConnections(socket)).toBe(true)
  expect(statSync(home).mode & 0o777).toBe(0o700)
  expect(statSync(homePaths(home).daemonStderr).mode & 0o777).toBe(0o600)
})

test('a daemon started from within tmux does not carry its marker', async () => {
  const { home, script, dir } = program(
    `require('node:fs').writeFileSync(home + '/../env', JSON.stringify(process.env));${LISTENS}`,
  )
  await reachDaemon({
    home,
    script,
    env: { ...env, TMUX: 't', TMUX_PANE: '%1', KEPT: 'yes' },
  })
  const carried = JSON.parse(readFileSync(join(dir, 'env'), 'utf8'))
  expect(carried).toMatchObject({ KEPT: 'yes' })
  expect(Object.keys(carried).filter((name) => /^TMUX/.test(name))).toEqual([])
})

test('its last words are the error, with their code', async () => {
  const { home, script } = program(
    `console.error(JSON.stringify({ fatal: { code: 'STORE_CORRUPT', message: 'holdfast.db is broken' } })); process.exit(1)`,
  )
  await expect(reachDaemon({ home, script, env })).rejects.toMatchObject({
    code: 'STORE_CORRUPT',
    message: 'holdfast.db is broken',
  })
})

test('a crash without a reason shows what it said, and only of this start', async () => {
  const { home, script } = program(`console.error('it', 'broke'); process.exit(3)`)
  const attempt = () => reachDaemon({ home, script, env })
  await expect(attempt()).rejects.toMatchObject({ code: 'DAEMON_UNREACHABLE' })
  const error: Error = await attempt().then(
    () => new Error('it started'),
    (reason) => reason,
  )
  expect(error.message).toContain('exit code 3')
  expect(error.message.match(/it broke/g)).toHaveLength(1)
})

test('when another start holds the lock, its socket is waited for', async () => {
  // The first to come is slow to listen, whoever comes later exits 75.
  const { home, script, socket } = program(`
    try { require('node:fs').mkdirSync(home + '/lock') } catch { process.exit(75) }
    setTimeout(() => { ${LISTENS} }, 400)`)
  await Promise.all([1, 2, 3].map(() => reachDaemon({ home, script, env })))
  expect(await acceptsConnections(socket)).toBe(true)
})

test('a holder that was just stopping is replaced', async () => {
  const { home, script, socket } = program(`
    const fs = require('node:fs')
    fs.appendFileSync(home + '/starts', 'x')
    if (fs.statSync(home + '/starts').size < 2) process.exit(75)
    ${LISTENS}`)
  await reachDaemon({ home, script, env })
  expect(await acceptsConnections(socket)).toBe(true)
})

test('a holder that stays silent is named by its pid', async () => {
  const { home, script } = program(`
    const { renameSync, writeFileSync } = require('node:fs')
    writeFileSync(home + '/daemon.json.' + process.pid, JSON.stringify({ pid: 4711 }))
    renameSync(home + '/daemon.json.' + process.pid, home + '/daemon.json')
    process.exit(75)`)
  await expect(reachDaemon({ home, script, env, withinMs: 4000 })).rejects.toMatchObject({
    code: 'DAEMON_SILENT',
    message: expect.stringContaining('pid 4711'),
  })
})

test('a home that cannot be made is said to be so, and nothing is started', async () => {
  const { dir, script } = program(LISTENS)
  const file = join(dir, 'file')
  writeFileSync(file, '')
  for (const home of [file, join(file, 'below')])
    await expect(reachDaemon({ home, script, env })).rejects.toMatchObject({ code: 'HOME_NOT_WRITABLE' })
  expect(existsSync(`${file}/daemon.stderr`)).toBe(false)
})
