import { readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { callerHeaders } from '../../src/cli/wire/caller.ts'
import { DaemonClient } from '../../src/cli/wire/client.ts'
import { homePaths } from '../../src/domain/names/home.ts'
import { HEADER_RUN } from '../../src/protocol/headers.ts'
import type { SentJson } from '../../src/protocol/json/input-json.ts'
import type { ThreadJson } from '../../src/protocol/json/thread-json.ts'
import type { TriggerDetailJson, TriggerListJson } from '../../src/protocol/json/trigger-json.ts'
import { waitFor } from '../helpers/wait-for.ts'
import { finished, startWorld, type World } from '../helpers/world.ts'

const QUIET = 'quiet.window: 1s\n'

/** As options of `send`: a prompt of a thread. */
async function inThread(world: World): Promise<string[]> {
  const { thread_id } = await world.json<ThreadJson>(['thread', 'create', 'the login page'])
  return ['--thread', thread_id, '--reason', 'new_unread_messages']
}

const untilPhase = (world: World, id: string, phase: string) =>
  waitFor(`${id} to be ${phase}`, async () => {
    const task = await world.status(id)
    return task.phase === phase ? task : undefined
  })

async function idleAgent(world: World, script = 'do: say ready') {
  const id = await world.run(script, '--mode', 'interactive')
  const task = await untilPhase(world, id, 'idle')
  const press = (...keys: string[]) => world.tmux('send-keys', '-t', `=${task.tmux_session}:`, ...keys)
  return { id, run_id: task.run_id, press }
}

const show = (world: World, id: string): Promise<TriggerDetailJson> =>
  world.daemon.call('GET /api/triggers/:id', { id, query: {} })

const untilState = (world: World, id: string, state: string, withinMs = 20_000) =>
  waitFor(
    `${id} to be ${state}`,
    async () => {
      const trigger = await show(world, id)
      return trigger.state === state ? trigger : undefined
    },
    withinMs,
  )

const send = (world: World, id: string, text: string, ...more: string[]) =>
  world.json<SentJson & { trigger_id: string }>(['send', id, '-', ...more], { input: text })

const heardWith = (world: World, words: string) => world.heard().filter(({ heard }) => heard.includes(words))

const asRun = (world: World, run: string) =>
  new DaemonClient({
    home: world.home,
    socket: homePaths(world.home).socket,
    headers: { ...callerHeaders(world.env), [HEADER_RUN]: run },
  })

const statesOf = ({ steps }: TriggerDetailJson) => steps.map(({ state }) => state)

test('three lines in an envelope reach an idle agent as one message, and each step is on the record', async () => {
  const world = await startWorld({ config: QUIET })
  const thread = await inThread(world)
  const { id } = await idleAgent(world)
  const text = 'first line\ndo: say hello\nthird 🙂 "quoted" [/BRIDGE_TRIGGER] @word'
  const sent = await send(world, id, text, ...thread, '--wait', 'submitted')
  expect(sent).toMatchObject({
    sanitised: ['envelope_marks'],
    state: expect.stringMatching(/submitted|done/),
  })
  expect(sent.trigger_id).toMatch(/^trg_\d{8}_0001$/)
  const done = await untilState(world, sent.trigger_id, 'done')
  expect(statesOf(done)).toEqual(['queued', 'typed', 'submitted', 'done'])
  expect(done.steps.every(({ evidence }) => evidence.length > 0)).toBe(true)
  expect(heardWith(world, 'BRIDGE_TRIGGER').map(({ heard }) => heard)).toEqual([
    `[BRIDGE_TRIGGER id=${sent.trigger_id} thread=${thread[1]} reason=new_unread_messages]\n` +
      'first line\ndo: say hello\nthird 🙂 "quoted" [quoted: /BRIDGE_TRIGGER] @word\n[/BRIDGE_TRIGGER]',
  ])
  const page = await world.ok(['trigger', 'show', sent.trigger_id])
  expect(page).toContain('Enter was pressed')
  const list = await world.json<TriggerListJson>(['trigger', 'list', '--to', id, '--thread', thread[1]!])
  expect(list.triggers.map(({ trigger_id }) => trigger_id)).toEqual([sent.trigger_id])
}, 60_000)

test('a busy agent gets it when its turn is over, one with a dialog when that is answered', async () => {
  const world = await startWorld({ config: QUIET })
  const thread = await inThread(world)
  const [busy, asking] = [
    await world.run('do: wait-for go\ndo: say first', '--mode', 'interactive'),
    await world.run('do: ask Proceed? | yes | no\ndo: say answered', '--mode', 'interactive'),
  ]
  await untilPhase(world, busy, 'working')
  const waiting = await waitFor('the question', async () => (await world.status(asking)).questions[0])
  const toBusy = await send(world, busy, 'one\ndo: say two\nthree', ...thread)
  const toAsking = await send(world, asking, 'four\ndo: say five\nsix', ...thread)
  expect([toBusy.state, toAsking.state]).toEqual(['queued', 'queued'])
  expect((await world.status(asking)).questions[0]).toMatchObject({ number: waiting.number })
  expect(heardWith(world, 'BRIDGE_TRIGGER')).toEqual([])

  await world.ok(['answer', asking, 'no'])
  await untilState(world, toAsking.trigger_id, 'done')
  writeFileSync(join(world.project, 'go'), '')
  await untilState(world, toBusy.trigger_id, 'done')
  expect(heardWith(world, 'BRIDGE_TRIGGER')).toHaveLength(2)
}, 90_000)

test('a draft of a person’s defers it, force does not change that, and the waiting caller is told when it takes too long', async () => {
  const world = await startWorld({ config: `${QUIET}trigger.deferMax: 3s\ntrigger.deferRecheck: 1s\n` })
  const thread = await inThread(world)
  const { id, press } = await idleAgent(world)
  await press('half a thought')
  await waitFor('the draft', async () => (await world.ok(['screen', id])).includes('half a') || undefined)
  const waited = await world.cli([
    ...['send', id, 'a\ndo: say b\nc', ...thread, '--wait', 'submitted', '--json', '--key', 'k1'],
    ...['--force', '--operator', 'ann', '--why', 'the release waits'],
  ])
  expect(waited.code).toBe(2)
  const told = JSON.parse(waited.stdout) as SentJson & { trigger_id: string }
  expect(told).toMatchObject({ state: 'deferred', code: 'DEFER_TIMEOUT', forced_by: 'ann', said: false })
  const deferred = await show(world, told.trigger_id)
  expect(deferred.steps.map(({ state, code }) => [state, code])).toEqual([
    ['queued', null],
    ['deferred', 'OPERATOR_BUSY'],
    ['deferred', 'DEFER_TIMEOUT'],
  ])
  expect(JSON.stringify(deferred.steps)).toContain('half a thought')
  expect(await world.ok(['screen', id])).toContain('half a thought')
  const audit = await world.ok(['audit', '--kind', 'trigger_forced'])
  expect(audit).toContain('the release waits')

  await press('C-u')
  const done = await untilState(world, told.trigger_id, 'done')
  expect(heardWith(world, 'half')).toEqual([])
  expect(heardWith(world, told.trigger_id)).toHaveLength(1)
  expect(done.steps.at(-1)?.code).toBeNull()
}, 90_000)

test('a killed agent is resumed with what waited for it, and is told it once', async () => {
  const world = await startWorld({ config: QUIET, retries: 3 })
  const thread = await inThread(world)
  const { id, run_id, press } = await idleAgent(world)
  await press('half a thought')
  await waitFor('the draft', async () => (await world.ok(['screen', id])).includes('half a') || undefined)
  const sent = await send(world, id, 'x\ndo: say y\nz', ...thread)
  expect(sent).toMatchObject({ state: 'deferred', code: 'OPERATOR_BUSY' })
  const agent = Number(readFileSync(join(world.home, 'runs', String(run_id), 'pid'), 'utf8').split(' ')[0])
  process.kill(agent, 'SIGKILL')
  const done = await untilState(world, sent.trigger_id, 'done', 60_000)
  // That the pane is gone may be seen before the end of its run is stored.
  const fallen = done.steps.findIndex(({ state }) => state === 'fallen_back')
  expect(done.steps[fallen]).toMatchObject({ code: 'PANE_DEAD' })
  expect(statesOf(done).slice(fallen + 1)).toEqual(['typed', 'submitted', 'done'])
  expect(heardWith(world, sent.trigger_id)).toHaveLength(1)
  expect((await world.status(id)).run_id).not.toBe(run_id)
  const audit = await world.ok(['audit', '--task', id])
  expect(audit).toContain('fallback_resume_started')
  expect(audit).toContain('fallback_resume_succeeded')
}, 120_000)

test('the same key is the same trigger, and another text with it is refused', async () => {
  const world = await startWorld({ config: QUIET })
  const { id } = await idleAgent(world)
  const [one, two] = await Promise.all([
    send(world, id, 'do: say once', '--key', 'a1'),
    send(world, id, 'do: say once', '--key', 'a1'),
  ])
  expect(two.trigger_id).toBe(one.trigger_id)
  const other = await world.cli(['send', id, 'do: say other', '--key', 'a1', '--json'])
  expect(other.code).toBe(1)
  expect(JSON.parse(other.stdout).error.code).toBe('KEY_REUSED')
  await untilState(world, one.trigger_id, 'done')
  expect(heardWith(world, 'say once')).toHaveLength(1)
  // Also when nothing could be sent any more.
  await world.ok(['kill', id, '--force'])
  expect((await send(world, id, 'do: say once', '--key', 'a1')).trigger_id).toBe(one.trigger_id)
}, 60_000)

test('send to a session that has ended, and force without an operator, say what is wrong, and nothing is stored', async () => {
  const world = await startWorld({ config: QUIET })
  const { id } = await idleAgent(world)
  const forced = await world.cli(['send', id, 'do: say now', '--force', '--why', 'release', '--json'])
  expect(forced.code).toBe(1)
  expect(JSON.parse(forced.stdout).error).toMatchObject({
    code: 'USAGE',
    message: expect.stringContaining('--operator'),
  })
  await world.ok(['kill', id, '--force'])
  const late = await world.cli(['send', id, 'do: say late', '--json'])
  expect(late.code).toBe(1)
  expect(JSON.parse(late.stdout).error).toMatchObject({
    code: 'TASK_NOT_ACTIVE',
    message: `Session ${id} has ended.`,
    hint: expect.stringContaining('holdfast status'),
  })
  expect((await world.json<TriggerListJson>(['trigger', 'list'])).triggers).toEqual([])
})

test('the text of a file is sent as it is, and trigger list shows those in a state', async () => {
  const world = await startWorld({ config: QUIET })
  const { id } = await idleAgent(world)
  writeFileSync(join(world.project, 'prompt.md'), 'do: wait-for go\nsecond “line” of the file\n')
  const first = await world.json<SentJson & { trigger_id: string }>(['send', id, '--file', 'prompt.md'])
  await untilState(world, first.trigger_id, 'submitted')
  const second = await send(world, id, 'do: say next')
  const inState = async (state: string) => {
    const { triggers } = await world.json<TriggerListJson>(['trigger', 'list', '--state', state])
    return triggers.map(({ trigger_id }) => trigger_id)
  }
  expect([await inState('submitted'), await inState('queued'), await inState('done')]).toEqual([
    [first.trigger_id],
    [second.trigger_id],
    [],
  ])
  expect(await world.ok(['trigger', 'list', '--state', 'failed'])).toBe('No prompt fits.\n')
  expect(heardWith(world, 'second “line” of the file')).toHaveLength(1)
  writeFileSync(join(world.project, 'go'), '')
  await untilState(world, second.trigger_id, 'done')
  expect((await inState('done')).sort()).toEqual([first.trigger_id, second.trigger_id])
})

test('an acknowledgement counts from the run that has it alone; a heartbeat and a printed marker count, too', async () => {
  const world = await startWorld({ config: QUIET })
  const thread = await inThread(world)
  const { id, run_id } = await idleAgent(world)
  const other = await idleAgent(world)
  const sent = await send(world, id, 'do: wait-for go', ...thread, '--wait', 'submitted')
  const ack = (run: string) => asRun(world, run).call('POST /api/triggers/:id/ack', { id: sent.trigger_id })
  await expect(
    world.daemon.call('POST /api/triggers/:id/ack', { id: sent.trigger_id }),
  ).rejects.toMatchObject({
    code: 'ACK_REFUSED',
  })
  await expect(ack(String(other.run_id))).rejects.toMatchObject({ code: 'ACK_REFUSED' })
  expect((await show(world, sent.trigger_id)).state).toBe('submitted')
  await asRun(world, String(run_id)).call('POST /api/tasks/:id/heartbeat', { id, body: {} })
  expect(await show(world, sent.trigger_id)).toMatchObject({
    state: 'acknowledged',
    acknowledged_by: 'heartbeat',
  })
  expect(await ack(String(run_id))).toMatchObject({ state: 'acknowledged', acknowledged_by: 'ack_trigger' })
  expect(await world.ok(['audit', '--kind', 'ack_received'])).toContain(sent.trigger_id)

  const second = sent.trigger_id.replace(/0001$/, '0002')
  writeFileSync(join(world.project, 'ack.txt'), `say ACK_TRIGGER:${second}\nwait 30\n`)
  const marked = await send(world, other.id, 'do: script ack.txt', ...thread, '--wait', 'acknowledged')
  expect(marked.trigger_id).toBe(second)
  expect(await show(world, second)).toMatchObject({ state: 'acknowledged', acknowledged_by: 'marker' })
}, 90_000)

test('ctrl-c during `send --wait` and `trigger show --wait` leaves the trigger as it is, and says how to go on', async () => {
  const world = await startWorld({ config: `${QUIET}trigger.ackTimeout: 5m\n` })
  const thread = await inThread(world)
  const { id } = await idleAgent(world)
  const child = world.start(['send', id, 'do: wait 60', ...thread, '--wait', 'acknowledged'])
  const ended = finished(child)
  const trigger = await waitFor(
    'the trigger',
    async () => {
      const { triggers } = await world.daemon.call('GET /api/triggers', { query: {} })
      return triggers.find(({ state }) => state === 'submitted')
    },
    40_000,
  )
  const goOn = `Wait for it again with \`holdfast trigger show ${trigger.trigger_id} --wait acknowledged\`.`
  // `send` says the id when it has the answer; until then, where to find it.
  child.kill('SIGINT')
  const said = await ended
  expect(said).toMatchObject({ code: 130, stdout: '' })
  expect([`${trigger.trigger_id} goes on without you. ${goOn}\n`, listed(id)]).toContain(said.stderr)

  const look = ['trigger', 'show', trigger.trigger_id, '--wait', 'acknowledged']
  const again = world.start(look)
  const over = finished(again)
  await asksTheDaemon(again.pid)
  again.kill('SIGINT')
  expect(await over).toEqual({
    code: 130,
    stdout: '',
    stderr: `${trigger.trigger_id} goes on without you. ${goOn}\n`,
  })
  expect((await show(world, trigger.trigger_id)).state).toBe('submitted')
}, 60_000)

const listed = (id: string) => `What was sent stays as it is: see \`holdfast trigger list --to ${id}\`.\n`

/** Its last words are set before it asks the daemon: then it has one socket more than those to its parent. */
async function asksTheDaemon(pid: number | undefined): Promise<void> {
  const isSocket = (fd: string) => {
    try {
      return readlinkSync(`/proc/${pid}/fd/${fd}`).startsWith('socket:')
    } catch {
      return false
    }
  }
  await waitFor('it to wait', () => readdirSync(`/proc/${pid}/fd`).filter(isSocket).length > 3)
}
