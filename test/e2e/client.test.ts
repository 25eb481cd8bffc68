// `holdfast/client` as it is built, and as the README shows it.

import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createClient } from '../../src/client/client.ts'
import { type Client, connect, type TerminalState } from '../../src/client/node.ts'
import { overFetch } from '../../src/client/over-fetch.ts'
import { codeBlockLines, readPage } from '../docs/pages.ts'
import { waitFor } from '../helpers/wait-for.ts'
import { makeToken, openWeb } from '../helpers/web.ts'
import { finished, startWorld, type World } from '../helpers/world.ts'

const ROOT = join(import.meta.dirname, '../..')

/** A program of a user's project, in which `holdfast` is installed. */
function program(world: World, page: string, ...args: string[]): ChildProcess {
  mkdirSync(join(world.project, 'node_modules'))
  symlinkSync(ROOT, join(world.project, 'node_modules/holdfast'))
  const file = join(world.project, 'example.mjs')
  writeFileSync(file, codeBlockLines(readPage(page), 'js').join('\n'))
  return spawn(process.execPath, [file, ...args], { cwd: world.project, env: world.env })
}

async function interactive(world: World): Promise<string> {
  const id = await world.run('do: say hello', '--mode', 'interactive')
  await waitFor('it to be idle', async () => (await world.status(id)).phase === 'idle')
  return id
}

/** A live terminal by the client, with all that it told. */
function watched(holdfast: Client, id: string) {
  const states: TerminalState[] = []
  const sizes: string[] = []
  let text = ''
  const terminal = holdfast.terminal(id, {
    onBytes: (bytes) => (text += Buffer.from(bytes).toString()),
    onSize: (columns, rows) => sizes.push(`${columns}x${rows}`),
    onState: (state) => states.push(state),
  })
  onTestFinished(terminal.close)
  const until = (kind: TerminalState['kind'], typing?: boolean) =>
    waitFor(`it to be ${kind}`, () => {
      const last = states.at(-1)
      return last?.kind === kind && (typing === undefined || ('typing' in last && last.typing === typing))
    })
  const shows = (words: string) => waitFor(`'${words}' in the terminal`, () => text.includes(words))
  return { terminal, states, sizes, until, shows }
}

test('the example of the README starts a task and hears of its end', async () => {
  const world = await startWorld()
  await world.ok(['workspace', 'add', world.project])
  const said = await finished(program(world, 'README.md'))
  expect({ code: said.code, stderr: said.stderr }).toEqual({ code: 0, stderr: '' })
  expect(said.stdout.trim().split('\n').at(-1)).toBe('task_completed')
})

test('over TCP with a token the same calls work, and errors have code and hint', async () => {
  const world = await startWorld()
  const { address } = await openWeb(world)
  const holdfast = connect({ url: address, token: await makeToken(world) })
  expect(await holdfast.call('GET /api/tasks', { query: {} })).toMatchObject({ tasks: [] })
  await expect(holdfast.call('GET /api/tasks/:id', { id: 'none' })).rejects.toMatchObject({
    code: 'TASK_NOT_FOUND',
    status: 404,
    hint: expect.stringMatching(/\S/),
  })
  const nobody = connect({ url: address })
  await expect(nobody.call('GET /api/health')).rejects.toMatchObject({ code: 'LOGIN_REQUIRED', status: 401 })
})

test('a follower of events misses none when the daemon is killed, and is told of another version', async () => {
  const world = await startWorld()
  await world.ok(['up'])
  const versions: string[] = []
  const holdfast = connect({ home: world.home, onOtherVersion: (version) => versions.push(version) })
  const stop = new AbortController()
  const seqs: number[] = []
  let last = ''
  const over = (async () => {
    for await (const { seq, kind, task } of holdfast.events({ from: 'start', signal: stop.signal })) {
      seqs.push(seq)
      if (kind === 'task_completed' && task === last) break
    }
  })()
  await world.untilStatus(await world.run('do: say one'), 'COMPLETED')
  await world.killDaemon()
  last = await world.run('do: wait 1\ndo: say two')
  await over
  expect(seqs).toEqual(seqs.map((_, index) => index + 1))
  expect(versions[0]).toBe((await world.health()).version)
})

test('a follower from now on that is cut off before its first event hears what happened meanwhile', async () => {
  const world = await startWorld()
  const { address } = await openWeb(world)
  const real = overFetch({ url: address, token: await makeToken(world) })
  let reachable = Promise.resolve()
  const holdfast = createClient({
    ...real,
    version: '0',
    send: (path, init) => reachable.then(() => real.send(path, init)),
  })
  const stop = new AbortController()
  onTestFinished(() => stop.abort())
  const states: string[] = []
  const events = holdfast.events({
    kinds: ['task_created'],
    signal: stop.signal,
    onState: (state) => void states.push(state),
  })
  const first = events.next()
  await waitFor('the stream', () => states.includes('open'))
  let letThrough = () => {}
  reachable = new Promise((resolve) => {
    letThrough = resolve
  })
  await world.killDaemon()
  const id = await world.run('do: say one')
  letThrough()
  expect((await first).value).toMatchObject({ kind: 'task_created', task: id })
})

test('a live terminal looks, types when switched on, and after a killed daemon only looks again', async () => {
  const world = await startWorld()
  const id = await interactive(world)
  const { terminal, states, sizes, until, shows } = watched(connect({ home: world.home }), id)
  await until('live', false)
  await shows('hello')
  expect(sizes).toEqual(['200x51'])
  terminal.type('do: say dropped\r')
  terminal.setTyping(true)
  await until('live', true)
  terminal.type('do: say typed')
  await shows('do: say typed')
  terminal.type('\r')
  await waitFor('the prompt', () => world.heard().length === 2)
  await world.killDaemon()
  await until('lost')
  await world.ok(['up'])
  await until('live', false)
  terminal.type('do: say dropped\r')
  await world.ok(['send', id, 'do: say sent'])
  await shows('sent')
  expect(world.heard().map(({ heard }) => heard)).toEqual(['do: say hello', 'do: say typed', 'do: say sent'])
  await world.ok(['kill', id, '--force'])
  await until('over')
  expect(states.at(-1)).toEqual({ kind: 'over', why: 'gone' })
})

test('a live terminal over TCP needs a token; where there is none, it says why', async () => {
  const world = await startWorld()
  const id = await interactive(world)
  const ended = await world.run('do: finish ok')
  await world.untilStatus(ended, 'COMPLETED')
  const { address } = await openWeb(world)
  const holdfast = connect({ url: address, token: await makeToken(world) })
  const live = watched(holdfast, id)
  await live.until('live', false)
  await live.shows('hello')
  const none = watched(holdfast, ended)
  await none.until('refused')
  expect(none.states.at(-1)).toMatchObject({ error: { code: 'TASK_NOT_ACTIVE' } })
  const nobody = watched(connect({ url: address }), id)
  await nobody.until('refused')
  expect(nobody.states.at(-1)).toMatchObject({ error: { code: 'LOGIN_REQUIRED', status: 401 } })
})

test('the example of the live terminal shows it, and types when it is told to', async () => {
  const world = await startWorld()
  const id = await interactive(world)
  const child = program(world, 'docs/live-terminal.md', id)
  const over = finished(child)
  let [shown, told] = ['', '']
  child.stdout!.on('data', (text) => (shown += text))
  child.stderr!.on('data', (text) => (told += text))
  await waitFor('the screen', () => told.includes('live') && shown.includes('hello'))
  child.kill('SIGUSR2')
  await waitFor('the prompt', () => world.heard().some(({ heard }) => heard === 'hello'))
  await world.ok(['kill', id, '--force'])
  expect((await over).code).toBe(0)
  expect(told.split('\n').filter((line) => line !== '')).toEqual([
    ...['connecting', '200x51', 'live', '200x51', 'live', 'over'],
  ])
})
