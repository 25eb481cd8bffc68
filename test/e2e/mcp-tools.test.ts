// Every tool is called by MCP and does what it is for; what it answers has the shape that the list of tools tells.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { tools } from '../../src/mcp/call-tool.ts'
import { textIn } from '../helpers/faults.ts'
import { startMcp } from '../helpers/mcp-client.ts'
import { waitFor } from '../helpers/wait-for.ts'
import { startWorld, type World } from '../helpers/world.ts'

type Json = Record<string, unknown>

/** The same shape, without room for fields that it does not name. */
const closed = (schema: unknown): unknown => {
  if (Array.isArray(schema)) return schema.map(closed)
  if (typeof schema !== 'object' || schema === null) return schema
  const inside = Object.fromEntries(Object.entries(schema).map(([name, value]) => [name, closed(value)]))
  return 'properties' in schema ? { ...inside, additionalProperties: false } : inside
}

/** A client that notes which tools it called, and that each answer fits what the list says of it. */
async function client(world: World, called: Set<string>, env: Record<string, string> = {}) {
  const { ask, open, call } = startMcp(world, env)
  await open()
  const listed = (await ask('tools/list')).result?.tools ?? []
  const schemas = new Map(listed.map(({ name, outputSchema }) => [name, outputSchema]))
  return async (name: string, args: object = {}): Promise<Json> => {
    const { isError, content, structuredContent: answer = {} } = await call(name, args)
    expect([name, isError ?? false, isError ? content : '']).toEqual([name, false, ''])
    const fits = z.fromJSONSchema(closed(schemas.get(name)) as never).safeParse(answer)
    expect([name, fits.error?.issues]).toEqual([name, undefined])
    expect(JSON.parse(content?.[0]?.text ?? '')).toEqual(answer)
    called.add(name)
    return answer
  }
}

const untilPhase = (world: World, id: string, phase: string) =>
  waitFor(`${id} to be ${phase}`, async () => (await world.status(id)).phase === phase)

test('each tool can be called, and its answer fits its output schema', async () => {
  const world = await startWorld({ config: 'quiet.window: 0s\n' })
  await world.ok(['workspace', 'add', world.project])
  const role = join(world.user, '.config/holdfast/agents/reviewer')
  mkdirSync(role, { recursive: true })
  writeFileSync(join(role, 'reviewer-agent.md'), 'Look at everything twice.\n')
  const called = new Set<string>()
  const person = await client(world, called)

  expect((await person('list_roles')).roles).toMatchObject([{ role: 'reviewer' }])
  const done = String((await person('create_task', { prompt: 'do: finish ok', name: 'quick' })).session_id)
  expect(await person('wait', { tasks: [done], until: 'ended' })).toMatchObject({ over: true })
  expect(await person('get_task', { task: done })).toMatchObject({ status: 'COMPLETED' })

  const asking = await world.run('do: ask Which colour? | red | blue\ndo: hang', '--converse')
  await untilPhase(world, asking, 'asking')
  expect((await person('get_task', { task: asking })).questions).toMatchObject([{ options: ['red', 'blue'] }])
  expect((await person('wait', { tasks: [asking] })).tasks).toMatchObject([{ final_state: 'needs_input' }])
  expect(await person('answer', { task: asking, choice: '2' })).toMatchObject({ answer: 'blue' })
  expect(await person('cancel', { task: asking, reason: 'enough' })).toMatchObject({ already_ended: false })
  await world.untilStatus(asking, 'KILLED')

  const id = await world.run('do: run sh -c "env >env.txt"', '--mode', 'interactive')
  await untilPhase(world, id, 'idle')
  const named = (name: string) => new RegExp(`^${name}=(.*)$`, 'm').exec(textIn(world, 'env.txt'))?.[1] ?? ''
  const agent = await client(world, called, {
    HOLDFAST_RUN: named('HOLDFAST_RUN'),
    HOLDFAST_TOKEN_FILE: named('HOLDFAST_TOKEN_FILE'),
  })
  const thread = String((await person('create_thread', { title: 'the login' })).thread_id)
  const sent = await person('send_trigger', {
    ...{ task: id, text: 'do: wait-for go', thread, reason: 'review_done', key: 'once' },
    wait: 'submitted',
  })
  expect(sent).toMatchObject({ state: 'submitted', heard: true, waited: { outcome: 'reached' } })
  const unanswered = { trigger: sent.trigger_id, wait: 'acknowledged', seconds: 0 }
  expect(await person('get_trigger', unanswered)).toMatchObject({
    state: 'submitted',
    waited: {
      for: 'acknowledged',
      outcome: 'not_yet',
      go_on: expect.stringContaining(`get_trigger with trigger: ${sent.trigger_id} and wait: acknowledged`),
    },
  })
  const acknowledged = person('get_trigger', { ...unanswered, seconds: 45 })
  expect(await agent('ack_trigger', { trigger: sent.trigger_id })).toMatchObject({
    trigger_id: sent.trigger_id,
    acknowledged_by: 'ack_trigger',
  })
  expect(await acknowledged).toMatchObject({ state: 'acknowledged', waited: { outcome: 'reached' } })
  expect(await person('get_trigger', { trigger: sent.trigger_id })).toMatchObject({ waited: null })
  expect(await agent('post_message', { thread, text: 'Found it.', kind: 'finding' })).toMatchObject({
    message: { author: `task:${id}` },
  })
  expect((await person('read_messages', { thread })).messages).toMatchObject([{ text: 'Found it.' }])
  expect(await agent('heartbeat_session', { status: 'active' })).toMatchObject({ session_id: id })
  expect(await agent('submit_result', { result: { found: 1 } })).toMatchObject({ session_id: id })
  expect((await world.daemon.call('GET /api/tasks/:id/result', { id })).result).toEqual({ found: 1 })

  const late = { task: id, text: 'do: say never', wait: 'acknowledged' }
  const waiting = person('send_trigger', late)
  await waitFor(
    'the prompt',
    async () => (await world.daemon.call('GET /api/triggers', { query: { to: id } })).triggers.length === 2,
  )
  await world.ok(['kill', id, '--force'])
  expect(await waiting).toMatchObject({
    state: 'failed',
    code: 'TARGET_NOT_FOUND',
    waited: { outcome: 'over', go_on: expect.stringContaining('holdfast resume <id>') },
  })

  expect([...called].sort()).toEqual(tools.map(({ name }) => name).sort())
}, 120_000)
