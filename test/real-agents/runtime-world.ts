// A real agent as a runtime: it stands by in its window, and prompts of three lines reach it there.
import { expect } from 'vitest'
import type { SentJson } from '../../src/protocol/json/input-json.ts'
import type { RuntimeDetailJson, RuntimeStartedJson } from '../../src/protocol/json/runtime-json.ts'
import type { ThreadJson } from '../../src/protocol/json/thread-json.ts'
import { waitFor } from '../helpers/wait-for.ts'
import type { World } from '../helpers/world.ts'
import type { AgentKind } from './agent-home.ts'
import { passedTo, worldOf } from './daemon-world.ts'
import type { Lab } from './lab.ts'
import { PATIENCE_MS } from './recovery-world.ts'
import { expectOnce, orderOf, type Sent } from './trigger-world.ts'

const NAME = 'reviewer@project'
const QUICK = ['quiet.window: 1s', 'runtime.grace: 200ms', 'reconcile.interval: 500ms', '']

/** Started with a seed, told something, its pane killed, told something again: the same session, and nothing twice. */
export async function standsBy(kind: AgentKind, lab: Lab): Promise<void> {
  const config = [...QUICK, `env.pass: [${passedTo(kind, lab).join(', ')}]`, ''].join('\n')
  const { world } = await worldOf([kind], lab, config)
  await world.ok(['workspace', 'add', lab.project, '--slug', 'project'])
  const { runtime } = await world.json<RuntimeStartedJson>(
    ['runtime', 'start', 'reviewer', '--workspace', 'project', '--agent', kind, '--seed', 'DO:text{planted}'],
    { env: { IS_SANDBOX: '1' } },
  )
  expect(runtime).toMatchObject({ agent_id: NAME, state: 'ready', agent_kind: kind })
  expect(runtime.tmux_target).toBe('agents_project:reviewer.0')
  const { thread_id: thread } = await world.json<ThreadJson>(['thread', 'create', 'release'])
  const tell = (text: string) => told(world, thread, text)

  const acked = await tell('first line\nDO:ack\nthird line')
  expect(acked.trigger.acknowledged_by).toBe('marker')
  expectOnce(lab, acked.sent)
  const before = await see(world)
  expect(before.session_id).not.toBeNull()
  expect(JSON.stringify(lab.requests())).toContain('DO:text{planted}')

  await world.tmux('kill-pane', '-t', before.tmux_target)
  const second = await tell('fourth line\nDO:text{after the kill}\nsixth line')
  expectOnce(lab, second.sent)
  expect(orderOf(lab)).toEqual([acked.sent.id, second.sent.id])
  const after = await see(world)
  expect(after).toMatchObject({ session_id: before.session_id, tmux_target: before.tmux_target })
  expect(after.pid).not.toBe(before.pid)
}

const see = (world: World): Promise<RuntimeDetailJson> =>
  world.daemon.call('GET /api/runtimes/:id', { id: NAME })

/** Its turn is over. */
async function told(world: World, thread: string, text: string) {
  const given = await world.json<SentJson>(['send', NAME, '-', '--thread', thread], { input: text })
  const id = String(given.trigger_id)
  const sent: Sent = { id, text, thread }
  const trigger = await waitFor(
    `${id} to be done`,
    async () => {
      const trigger = await world.daemon.call('GET /api/triggers/:id', { id, query: {} })
      return trigger.state === 'done' ? trigger : undefined
    },
    PATIENCE_MS,
  ).catch(async (error) => {
    const page = await world.ok(['trigger', 'show', id])
    throw new Error(`${error.message}\n${page}\n${await world.ok(['screen', NAME]).catch(String)}`)
  })
  return { sent, trigger }
}
