// The five acceptance criteria of the tmux supervisor's specification, each with real processes in a real tmux; and the
// events that it names, each found where docs/metrics.md says.
import { readFileSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { homePaths } from '../../src/domain/names/home.ts'
import type { AuditPageJson } from '../../src/protocol/json/daemon-json.ts'
import type { SentJson } from '../../src/protocol/json/input-json.ts'
import type { RuntimeDetailJson, RuntimeStartedJson } from '../../src/protocol/json/runtime-json.ts'
import type { ThreadJson } from '../../src/protocol/json/thread-json.ts'
import type { TriggerDetailJson } from '../../src/protocol/json/trigger-json.ts'
import { codeRows, section } from '../docs/pages.ts'
import { personAt } from '../helpers/person.ts'
import { waitFor } from '../helpers/wait-for.ts'
import { startWorld, type World } from '../helpers/world.ts'

const QUICK = 'runtime.grace: 200ms\nreconcile.interval: 500ms\nquiet.window: 1s\n'
const NAME = 'reviewer@project'
const PATIENCE_MS = 60_000

const start = (world: World, trouble = '', role = 'reviewer') =>
  world.json<RuntimeStartedJson>(
    ['runtime', 'start', role, '--agent', 'scripted', '--seed', 'do: say ready'],
    { env: { SCRIPTED_AGENT_TROUBLE: trouble } },
  )
const see = (world: World): Promise<RuntimeDetailJson> =>
  world.daemon.call('GET /api/runtimes/:id', { id: NAME })
const show = (world: World, id: string): Promise<TriggerDetailJson> =>
  world.daemon.call('GET /api/triggers/:id', { id, query: {} })
const send = async (world: World, prompt: string): Promise<string> => {
  const sent: SentJson = await world.daemon.call('POST /api/tasks/:id/inputs', { id: NAME, body: { prompt } })
  return String(sent.trigger_id)
}
const until = (world: World, id: string, ...states: string[]) =>
  waitFor(
    `${id} to be ${states.join(' or ')}`,
    async () => {
      const trigger = await show(world, id)
      return states.includes(trigger.state) ? trigger : undefined
    },
    PATIENCE_MS,
  )
/** How often the agent itself wrote down that it was told this. */
const timesHeard = (world: World, words: string) =>
  world.heard().filter(({ heard }) => heard.includes(words)).length
/** Its seed is done: the next prompt is its next turn. */
const atRest = (world: World) =>
  waitFor(
    'it to be idle',
    async () => ((await world.status(NAME)).phase === 'idle' && timesHeard(world, 'ready') > 0) || undefined,
    PATIENCE_MS,
  )

test('1: every trigger to an active runtime succeeds', async () => {
  const world = await startWorld({ config: QUICK })
  await start(world)
  const ids: string[] = []
  for (let n = 0; n < 20; n++) ids.push(await send(world, `trigger number ${n}.`))
  for (const id of ids) await until(world, id, 'done')
  for (const id of ids) expect(timesHeard(world, `id=${id}`)).toBe(1)
}, 180_000)

test('2: ACK_TIMEOUT falls back to resume by itself', async () => {
  const world = await startWorld({
    config: `${QUICK}trigger.ackTimeout: 1s\ntrigger.ackRetries: 0\n`,
  })
  // In its first life, Enter does nothing but empty the box.
  const { runtime } = await start(world, 'deaf=1')
  await atRest(world)
  const id = await send(world, 'review this')
  const done = await until(world, id, 'done')
  const codes = done.steps.map(({ state, code }) => (code === null ? state : `${state} ${code}`))
  expect(codes).toContain('fallen_back ACK_TIMEOUT')
  expect(timesHeard(world, `id=${id}`)).toBe(1)
  expect((await see(world)).pid).not.toBe(runtime.pid)
  expect(world.heard().map(({ session }) => session)).toEqual(Array(2).fill(world.heard()[0]?.session))
  const audit = await world.ok(['audit', '--task', NAME])
  for (const kind of ['trigger_sent', 'fallback_resume_started', 'fallback_resume_succeeded'])
    expect(audit).toContain(kind)
}, 120_000)

test('3: a busy pane defers it; after the longest wait whoever waits is told, and it falls back when nobody is there', async () => {
  const world = await startWorld({
    config: `${QUICK}trigger.deferMax: 2s\ntrigger.deferRecheck: 500ms\n`,
  })
  const { runtime } = await start(world)
  await atRest(world)
  const person = personAt(world)
  person.runs('attach', 'project')
  await person.shows('reviewer')
  person.types('half')
  const held = await world.cli(['send', NAME, 'while a person types', '--wait', 'submitted', '--json'])
  expect(held.code).toBe(2)
  const told = JSON.parse(held.stdout) as SentJson
  expect(told).toMatchObject({ state: 'deferred', code: 'DEFER_TIMEOUT' })
  expect(timesHeard(world, 'half')).toBe(0)
  person.types('C-u')
  await until(world, String(told.trigger_id), 'done')
  expect(await person.detaches()).toBe('0')

  // Nobody is there, and its history was left open.
  await world.tmux('copy-mode', '-t', runtime.tmux_target)
  const id = await send(world, 'nobody is there')
  const done = await until(world, id, 'done')
  expect(done.steps.map(({ code }) => code)).toEqual(
    expect.arrayContaining(['OPERATOR_BUSY', 'DEFER_TIMEOUT']),
  )
  expect(done.steps.some(({ state }) => state === 'fallen_back')).toBe(true)
  expect(timesHeard(world, `id=${id}`)).toBe(1)
}, 180_000)

test('4: a killed pane and a killed process come back by themselves, with what was sent meanwhile', async () => {
  const world = await startWorld({ config: QUICK })
  const { runtime } = await start(world)
  await atRest(world)
  process.kill(Number(runtime.pid), 'SIGKILL')
  const one = await send(world, 'after a killed process')
  await until(world, one, 'done')
  await world.tmux('kill-pane', '-t', runtime.tmux_target)
  const two = await send(world, 'after a killed pane')
  await until(world, two, 'done')
  for (const id of [one, two]) expect(timesHeard(world, `id=${id}`)).toBe(1)
  expect(await see(world)).toMatchObject({ runtime_id: runtime.runtime_id, wanted: 'up' })
}, 120_000)

test('5: a person can attach, and sees the panes of all agents', async () => {
  const world = await startWorld({ config: QUICK })
  await start(world)
  await start(world, '', 'tester')
  const person = personAt(world)
  person.runs('attach', 'project')
  await person.shows('1:reviewer')
  await person.shows('2:tester')
  for (const window of ['1:reviewer*', '2:tester*']) {
    person.types('C-b', window.charAt(0))
    await person.shows(window)
    await person.shows('enter sends')
  }
  expect(await person.detaches()).toBe('0')
}, 60_000)

test('each event that is wanted by name is found where the page says', async () => {
  const world = await startWorld({
    config: `${QUICK}trigger.ackTimeout: 1s\ntrigger.ackRetries: 0\nruntime.startTimeout: 3s\n`,
  })
  await start(world, 'deaf=1')
  await atRest(world)
  const ack = 'until holdfast bridge ack_trigger trigger="$(cat id)"; do sleep 0.2; done'
  writeFileSync(join(world.project, 'ack.sh'), `${ack}\n`)
  const { thread_id: thread } = await world.json<ThreadJson>(['thread', 'create', 'release'])
  const sent = await world.json<SentJson>(['send', NAME, 'do: run sh ack.sh', '--thread', thread])
  writeFileSync(join(world.project, 'id'), String(sent.trigger_id))
  expect(await until(world, String(sent.trigger_id), 'done')).toMatchObject({
    acknowledged_by: 'ack_trigger',
  })
  const late = await world.cli(['runtime', 'start', 'tester', '--agent', 'scripted'], {
    env: { SCRIPTED_AGENT_TROUBLE: 'slow-start=60' },
  })
  expect(late.code).not.toBe(0)

  const places = codeRows(section('docs/metrics.md', '## Events by name'))
  expect(places.map(([name]) => name)).toEqual([
    'runtime_registered',
    'trigger_sent',
    'ack_received',
    'fallback_resume_started',
    'fallback_resume_succeeded',
    'runtime_restart_failed',
  ])
  const journal = listen(world)
  const log = readFileSync(homePaths(world.home).daemonLog, 'utf8')
  const named = /In the journal it is `(\w+)`/
  for (const [name = '', where, when = ''] of places) {
    // The row of a failed start comes with the next look at the runtime, after `runtime start` has given up.
    if (where === 'audit') await waitFor(`${name} in the audit`, () => isAudited(world, name), 30_000)
    else expect(log).toContain(name)
    const event = named.exec(when)?.[1] ?? name
    await waitFor(`${event} in the journal`, () => journal.text.includes(`event: ${event}\n`))
  }
  expect(journal.text).toMatch(/^data: .*"to":"failed"/m)
}, 120_000)

async function isAudited(world: World, kind: string): Promise<boolean> {
  const { entries } = await world.json<AuditPageJson>(['audit', '--kind', kind])
  return entries.length > 0
}

/** The journal from its beginning, as it comes. */
function listen(world: World): { text: string } {
  const heard = { text: '' }
  const call = request(
    { socketPath: homePaths(world.home).socket, path: '/api/events?from=start' },
    (answer) => answer.setEncoding('utf8').on('data', (text) => (heard.text += text)),
  )
  call.on('error', () => {}).end()
  onTestFinished(() => void call.destroy())
  return heard
}
