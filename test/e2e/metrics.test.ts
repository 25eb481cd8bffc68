import { get } from 'node:http'
import { expect, test } from 'vitest'
import { callerHeaders } from '../../src/cli/wire/caller.ts'
import { DaemonClient } from '../../src/cli/wire/client.ts'
import { homePaths } from '../../src/domain/names/home.ts'
import { HEADER_RUN } from '../../src/protocol/headers.ts'
import type { SentJson } from '../../src/protocol/json/input-json.ts'
import type { RuntimeStartedJson } from '../../src/protocol/json/runtime-json.ts'
import type { ThreadJson } from '../../src/protocol/json/thread-json.ts'
import { waitFor } from '../helpers/wait-for.ts'
import { startWorld, type World } from '../helpers/world.ts'
import { valuesIn } from '../metrics/metrics-over.ts'

const read = ({ home }: World) =>
  new Promise<{ type: string | undefined; text: string }>((resolve, reject) => {
    get({ socketPath: homePaths(home).socket, path: '/metrics' }, (answer) => {
      let text = ''
      answer.on('data', (piece) => (text += piece))
      answer.on('end', () => resolve({ type: answer.headers['content-type'], text }))
    }).on('error', reject)
  })

const values = async (world: World) => valuesIn((await read(world)).text)

async function idleAgent(world: World) {
  const id = await world.run('do: say ready', '--mode', 'interactive')
  const task = await waitFor(`${id} to be idle`, async () => {
    const seen = await world.status(id)
    return seen.phase === 'idle' ? seen : undefined
  })
  const press = (...keys: string[]) => world.tmux('send-keys', '-t', `=${task.tmux_session}:`, ...keys)
  return { id, run: String(task.run_id), press }
}

/** Into a thread of its own: only such a prompt is acknowledged. */
async function send(world: World, id: string, text: string, ...more: string[]) {
  const { thread_id } = await world.json<ThreadJson>(['thread', 'create', 'about it'])
  return world.json<SentJson & { trigger_id: string }>(['send', id, text, '--thread', thread_id, ...more])
}

test('GET /metrics on the socket counts a prompt that was given to its agent', async () => {
  const world = await startWorld()
  const { id } = await idleAgent(world)
  expect((await read(world)).text).toContain('tmux_trigger_attempt_total 0\n')
  await world.ok(['send', id, 'do: say again'])
  const { type, text } = await read(world)
  expect(type).toMatch(/^text\/plain; version=0\.0\.4/)
  expect(text).toContain('tmux_trigger_attempt_total 1\n')
})

test('a prompt that a heartbeat and then its own word acknowledge is delivered once, and the wait for it is timed', async () => {
  const world = await startWorld()
  const { id, run } = await idleAgent(world)
  const before = Date.now()
  const { trigger_id } = await send(world, id, 'do: wait-for go', '--wait', 'submitted')
  const agent = new DaemonClient({
    home: world.home,
    socket: homePaths(world.home).socket,
    headers: { ...callerHeaders(world.env), [HEADER_RUN]: run },
  })
  expect(await values(world)).toMatchObject({ tmux_trigger_delivered_total: 0 })
  await agent.call('POST /api/tasks/:id/heartbeat', { id, body: {} })
  await agent.call('POST /api/triggers/:id/ack', { id: trigger_id })
  const trigger = await world.daemon.call('GET /api/triggers/:id', { id: trigger_id, query: {} })
  expect(trigger.steps.filter(({ state }) => state === 'acknowledged')).toHaveLength(2)
  const counted = await values(world)
  expect(counted).toMatchObject({
    tmux_trigger_attempt_total: 1,
    tmux_trigger_delivered_total: 1,
    tmux_trigger_retry_total: 0,
    'holdfast_delivery_seconds_count{stage="acknowledged"}': 1,
  })
  const waited = counted['holdfast_delivery_seconds_sum{stage="acknowledged"}']
  expect(waited).toBeGreaterThan(0)
  expect(waited).toBeLessThan((Date.now() - before) / 1000)
}, 60_000)

test('waits that are too long are counted: for a person, and for an acknowledgement, with each longer wait', async () => {
  const world = await startWorld({
    config:
      'quiet.window: 1s\ntrigger.deferMax: 1s\ntrigger.deferRecheck: 500ms\n' +
      'trigger.ackTimeout: 500ms\ntrigger.ackRetries: 2\ntrigger.ackBackoff: 100ms\n',
  })
  const { id, press } = await idleAgent(world)
  await press('half a thought')
  await waitFor('the draft', async () => (await world.ok(['screen', id])).includes('half a') || undefined)
  const { trigger_id } = await send(world, id, 'do: wait-for go')
  const until = (state: string, code: string) =>
    waitFor(
      `${state} ${code}`,
      async () => {
        const seen = await world.daemon.call('GET /api/triggers/:id', { id: trigger_id, query: {} })
        return (seen.state === state && seen.code === code) || undefined
      },
      30_000,
    )
  await until('deferred', 'DEFER_TIMEOUT')
  expect(await values(world)).toMatchObject({
    tmux_trigger_attempt_total: 0,
    'tmux_trigger_timeout_total{code="DEFER_TIMEOUT"}': 1,
    'tmux_trigger_timeout_total{code="ACK_TIMEOUT"}': 0,
  })
  await press('C-u')
  await until('unconfirmed', 'ACK_TIMEOUT')
  expect(await values(world)).toMatchObject({
    tmux_trigger_attempt_total: 1,
    tmux_trigger_delivered_total: 0,
    tmux_trigger_retry_total: 2,
    'tmux_trigger_timeout_total{code="DEFER_TIMEOUT"}': 1,
    'tmux_trigger_timeout_total{code="ACK_TIMEOUT"}': 1,
  })
}, 90_000)

test('a pane that somebody killed is one drift, and the return of its runtime one restart', async () => {
  const world = await startWorld({ config: 'runtime.grace: 200ms\nreconcile.interval: 500ms\n' })
  const started = ['runtime', 'start', 'reviewer', '--agent', 'scripted']
  const { runtime } = await world.json<RuntimeStartedJson>(started)
  expect(await values(world)).toMatchObject({ tmux_runtime_restart_total: 0, tmux_reconcile_drift_total: 0 })
  await world.tmux('kill-pane', '-t', runtime.tmux_target)
  await waitFor(
    'the runtime to be back',
    async () => {
      const seen = await world.daemon.call('GET /api/runtimes/:id', { id: runtime.runtime_id })
      return (seen.state === 'ready' && seen.pid !== runtime.pid) || undefined
    },
    30_000,
  )
  expect(await values(world)).toMatchObject({ tmux_runtime_restart_total: 1, tmux_reconcile_drift_total: 1 })
}, 60_000)
