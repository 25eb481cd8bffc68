import { execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { iso } from '../../src/domain/task/session-record.ts'
import { environOf } from '../helpers/environ-of.ts'
import { agentPid, words } from '../helpers/faults.ts'
import { isAlive } from '../helpers/is-alive.ts'
import { waitFor } from '../helpers/wait-for.ts'
import { startWorld, type World } from '../helpers/world.ts'

test('twenty simultaneous starts over stale files end with one daemon', async () => {
  const world = await startWorld()
  mkdirSync(world.home, { recursive: true, mode: 0o700 })
  writeFileSync(join(world.home, 'daemon.sock'), 'stale')
  writeFileSync(join(world.home, 'daemon.json'), JSON.stringify({ pid: 1, version: 'x', started_at: 'x' }))
  writeFileSync(join(world.home, 'daemon.lock.db'), '')
  const all = await Promise.all(Array.from({ length: 20 }, () => world.cli(['list'])))
  expect(all.map(({ code, stderr }) => ({ code, stderr }))).toEqual(all.map(() => ({ code: 0, stderr: '' })))
  // Those that lost the lock leave by themselves.
  await waitFor('one daemon to be left', () => daemonsOf(world).length === 1)
  expect(daemonsOf(world)).toEqual([world.daemonPid()])
})

test('a killed daemon loses nothing: live runs are adopted at their offset, finished ones harvested', async () => {
  const world = await startWorld()
  const finishing = await world.run('do: say one\ndo: wait-for go-first\ndo: say two\ndo: finish first')
  const living = await world.run('do: say eins\ndo: wait-for go-second\ndo: say zwei\ndo: finish second')
  await world.untilStatus(finishing, 'RUNNING')
  const before = await waitFor('both to have started', async () => {
    const task = await world.status(living)
    return task.phase === 'working' ? task : undefined
  })
  await world.killDaemon()
  writeFileSync(join(world.project, 'go-first'), '')
  await waitFor(
    'the exit record',
    () => execFileSync('ls', [join(world.home, 'exits')], { encoding: 'utf8' }).trim() !== '',
  )
  expect(await world.untilStatus(finishing, 'COMPLETED')).toMatchObject({ exit_code: 0 })
  expect(await world.status(living)).toMatchObject({ status: 'RUNNING', run_id: before.run_id })
  writeFileSync(join(world.project, 'go-second'), '')
  await world.untilStatus(living, 'COMPLETED')
  const output = await world.ok(['logs', living])
  for (const word of ['eins', 'zwei']) expect(output.split(word)).toHaveLength(2)
  const harvested = await world.ok(['logs', finishing])
  for (const word of ['agent: one', 'agent: two']) expect(harvested.split(word)).toHaveLength(2)
  expect(world.heard()).toHaveLength(2)
})

test('a task that finished while no daemon ran was completed then, not when it was found', async () => {
  const world = await startWorld()
  const id = await world.run('do: wait-for go\ndo: finish ok')
  const { run_id, started_at } = await waitFor('its agent', async () => {
    const task = await world.status(id)
    return task.phase === 'working' ? task : undefined
  })
  await world.killDaemon()
  writeFileSync(join(world.project, 'go'), '')
  const record = join(world.home, 'exits', `${run_id}.json`)
  const at = await waitFor('its exit record', () =>
    existsSync(record) ? (JSON.parse(readFileSync(record, 'utf8')).at as number) : undefined,
  )
  await waitFor('some seconds to pass', () => Date.now() > at + 3000)
  const task = await world.untilStatus(id, 'COMPLETED')
  expect(task.completed_at).toBe(iso(at))
  expect(task.elapsed_seconds).toBeLessThanOrEqual(Math.ceil((at - Date.parse(started_at!)) / 1000))
  const view = join(world.project, '.holdfast/sessions', id, 'state.json')
  expect(JSON.parse(readFileSync(view, 'utf8')).completed_at).toBe(iso(at))
})

test('a daemon that holds the lock but is silent is reported by its pid, and no other is started', async () => {
  const world = await startWorld()
  await world.ok(['up'])
  const pid = world.daemonPid()
  process.kill(pid, 'SIGSTOP')
  try {
    const said = await world.cli(['list'])
    expect(said).toMatchObject({ code: 2, stderr: expect.stringContaining('DAEMON_SILENT') })
    expect(said.stderr).toContain(String(pid))
    await waitFor('the others to leave', () => daemonsOf(world).length === 1)
    expect(daemonsOf(world)).toEqual([pid])
  } finally {
    process.kill(pid, 'SIGCONT')
  }
  expect((await world.cli(['list'])).code).toBe(0)
})

test('down stops the daemon and, when nothing runs, leaves no process, socket or pid file behind; up starts it again', async () => {
  const world = await startWorld()
  await world.untilStatus(await world.run('do: finish ok'), 'COMPLETED')
  const pid = world.daemonPid()
  await world.ok(['down'])
  expect(isAlive(pid)).toBe(false)
  expect(world.processes()).toEqual([])
  for (const name of ['daemon.sock', 'daemon.json'])
    expect(existsSync(join(world.home, name)), name).toBe(false)
  expect((await world.cli(['down'])).code).toBe(0)
  await world.ok(['up'])
  expect(world.daemonPid()).not.toBe(pid)
})

test('down tells when the tmux server does not end', async () => {
  const world = await startWorld()
  await world.ok(['up'])
  const pid = world.daemonPid()
  const server = await world.tmuxPid()
  const person = spawn('tmux', ['-S', join(world.home, 'tmux.sock'), '-C', 'attach'])
  await waitFor('the person', async () => (await world.tmux('list-clients')).includes(`client-${person.pid}`))
  person.kill('SIGSTOP')
  const said = await world.cli(['down', '--json'])
  const warning = `The tmux server (${server}) was told to end, but still runs.`
  expect(said.stderr).toContain(`Warning: ${warning} (TMUX_UNAVAILABLE)`)
  expect(JSON.parse(said.stdout)).toEqual({ stopped: true, pid, running: 0, warning })
  expect(existsSync(join(world.home, 'daemon.json'))).toBe(false)
  person.kill('SIGKILL')
  await waitFor('the server to end', () => !isAlive(server))
})

test('down leaves working agents alone; the next daemon adopts them', async () => {
  const world = await startWorld()
  const id = await world.run('do: wait-for go\ndo: finish done')
  const task = await waitFor('it to work', async () => {
    const now = await world.status(id)
    return now.phase === 'working' ? now : undefined
  })
  const pid = await agentPid(world, id)
  await world.ok(['down'])
  expect(isAlive(pid)).toBe(true)
  writeFileSync(join(world.project, 'go'), '')
  expect(await world.untilStatus(id, 'COMPLETED')).toMatchObject({ run_id: task.run_id })
})

test('a daemon started from within a person’s tmux does not carry its marker', async () => {
  const world = await startWorld()
  await world.ok(['up'], { env: { TMUX: '/nowhere,1,0' } })
  expect((await environOf(world.daemonPid())).join('\n')).not.toContain('TMUX=')
})

test('a run may not allow directories or stop the daemon', async () => {
  const world = await startWorld()
  await world.ok(['up'])
  const pid = world.daemonPid()
  const asRun = { env: { HOLDFAST_RUN: 'some-run' } }
  for (const args of [['workspace', 'add', world.project], ['down']])
    expect(await world.cli(args, asRun)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('NOT_ALLOWED_FOR_RUN'),
    })
  expect(isAlive(pid)).toBe(true)
  expect((await world.json<{ workspaces: unknown[] }>(['workspace', 'list'])).workspaces).toEqual([])
})

test('reading output survives a daemon restart at its byte', async () => {
  const world = await startWorld()
  const id = await world.run('do: say before\ndo: wait-for go\ndo: say after\ndo: finish end')
  const following = world.start(['logs', id, '-f'])
  const ended = new Promise((resolve) => following.on('close', resolve))
  let text = ''
  following.stdout!.on('data', (more) => (text += more))
  await waitFor('the first words', () => text.includes('before'))
  await world.killDaemon()
  await world.ok(['up'])
  writeFileSync(join(world.project, 'go'), '')
  await ended
  expect(text.split('before')).toHaveLength(2)
  expect(text.split('after')).toHaveLength(2)
})

test('the home is made for its owner alone', async () => {
  const world = await startWorld()
  await world.untilStatus(await world.run('do: finish ok'), 'COMPLETED')
  const open = execFileSync('find', [world.home, '-perm', '/077', '-not', '-type', 'l'], { encoding: 'utf8' })
  expect(open).toBe('')
})

const daemonsOf = (world: World) =>
  world.processes().filter((pid) => words(pid).some((word) => word.endsWith('daemon.js')))
