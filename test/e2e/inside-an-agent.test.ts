// `holdfast` called by an agent: it is the one that started the agent, and it never starts a daemon.
import { existsSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { ErrorJson } from '../../src/protocol/json/error-json.ts'
import { textIn } from '../helpers/faults.ts'
import { waitFor } from '../helpers/wait-for.ts'
import { startWorld, type World } from '../helpers/world.ts'

const ASKS = 'command -v holdfast >where; holdfast status $HOLDFAST_TASK_ID --json >seen.json'

const untilSaid = (world: World) =>
  waitFor('its answer', () => {
    const text = textIn(world, 'seen.json')
    return text.endsWith('}\n') ? (JSON.parse(text) as { session_id: string }) : undefined
  })

/** Where a `holdfast` that knew nothing of this home would begin another. */
const elsewhere = ({ user }: World) => existsSync(join(user, '.local/state/holdfast'))

const answersFrom: [string, (world: World) => Promise<string>][] = [
  ['without a terminal', (world) => world.run(`do: run sh -c "${ASKS}"\ndo: finish ok`)],
  ['in its terminal', (world) => world.run(`do: run sh -c "${ASKS}"`, '--mode', 'interactive')],
  ['in the command of a contract', (world) => world.run('do: finish ok', '--verify', `cmd:sh -c "${ASKS}"`)],
]

test.each(answersFrom)('an agent %s finds the holdfast that started it, and its home', async (_, begin) => {
  const world = await startWorld()
  const id = await begin(world)
  expect((await untilSaid(world)).session_id).toBe(id)
  expect(textIn(world, 'where').trim()).toBe(join(world.home, 'bin/holdfast'))
  expect(elsewhere(world)).toBe(false)
})

test('an agent without a PATH, and a command that tmux runs for it, reach the same home', async () => {
  const world = await startWorld()
  const bin = join(world.home, 'bin/holdfast')
  const list = `${bin} list --json`
  const byTmux = `tmux -S $HOLDFAST_HOME/tmux.sock run-shell '${list} >${world.project}/by-tmux.json'`
  const id = await world.run(
    `do: run sh -c "env -u PATH ${list} >bare.json"\ndo: run sh -c "${byTmux}"\ndo: finish ok`,
  )
  await world.untilStatus(id, 'COMPLETED')
  for (const name of ['bare.json', 'by-tmux.json'])
    expect(JSON.parse(textIn(world, name)).tasks).toMatchObject([{ session_id: id }])
  expect(elsewhere(world)).toBe(false)
})

test('what an agent did to its holdfast does not reach the next one', async () => {
  const world = await startWorld()
  await world.untilStatus(await world.run('do: finish ok'), 'COMPLETED')
  rmSync(join(world.home, 'bin'), { recursive: true })
  symlinkSync(world.project, join(world.home, 'bin'))
  writeFileSync(join(world.project, 'holdfast'), '#!/bin/sh\necho not me\n', { mode: 0o755 })
  const id = await world.run(`do: run sh -c "${ASKS}"\ndo: finish ok`)
  expect((await untilSaid(world)).session_id).toBe(id)
  expect(readFileSync(join(world.project, 'holdfast'), 'utf8')).toContain('not me')
})

const WOULD_START = [
  ['list'],
  ['status', 'x'],
  ['run', 'do: finish ok'],
  ['up'],
  ['up', '--foreground'],
  ['list', '--home', 'HOME'],
]

test('inside a run no command starts a daemon: it says so, and a person can', async () => {
  const world = await startWorld()
  const asRun = { env: { HOLDFAST_RUN: 'some-run', HOLDFAST_HOME: join(world.root, 'other') } }
  const all = await Promise.all(
    WOULD_START.map((args) =>
      world.cli(
        [...args, '--json'].map((arg) => (arg === 'HOME' ? join(world.root, 'third') : arg)),
        asRun,
      ),
    ),
  )
  for (const [at, { code, stdout }] of all.entries()) {
    const { error } = JSON.parse(stdout) as { error: ErrorJson }
    expect([WOULD_START[at], code, error.code]).toEqual([WOULD_START[at], 1, 'NO_DAEMON_FOR_RUN'])
    expect(error.hint).toContain('A person can start the daemon')
  }
  for (const args of [['service', 'install'], ['drill']])
    expect(await world.cli(args, asRun)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('A run may not'),
    })
  expect(await world.cli(['down'], asRun)).toMatchObject({ code: 0, stdout: 'Daemon is not running\n' })
  expect((await world.cli(['doctor'], asRun)).stdout).toContain('a run may not start it')
  for (const name of ['other', 'third', 'h']) expect(existsSync(join(world.root, name))).toBe(false)
  expect(world.processes()).toEqual([])
})

test('an agent that calls while the daemon is restarted waits for it', async () => {
  const world = await startWorld()
  const id = await world.run(`do: wait-for go\ndo: run sh -c "${ASKS}"\ndo: finish ok`)
  await waitFor('its agent', async () => (await world.status(id)).phase === 'working')
  await world.killDaemon()
  writeFileSync(join(world.project, 'go'), '')
  await waitFor('its question', () => existsSync(join(world.project, 'seen.json')))
  expect(await world.json(['up'])).toMatchObject({ started: true })
  expect((await untilSaid(world)).session_id).toBe(id)
})
