import { readdirSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { codexDriver } from '../../../src/agents/codex/driver.ts'
import type { AgentSays } from '../../../src/ports/run/agent-driver.ts'

const folder = new URL('../../fixtures/events/codex/', import.meta.url)
const streams = readdirSync(folder)
  .filter((file) => file.endsWith('.jsonl'))
  .map((file) => file.slice(0, -'.jsonl'.length))
const linesOf = (name: string) =>
  readFileSync(new URL(`${name}.jsonl`, folder), 'utf8')
    .trim()
    .split('\n')
const read = (event: unknown) => codexDriver.readEvent(JSON.stringify(event))
/** What a recorded stream says, without the session and the warning about the model that each begins with. */
const says = (name: string) => linesOf(name).flatMap(codexDriver.readEvent).slice(2)

const usage = (tokensIn: number, tokensOut: number): AgentSays => ({
  kind: 'usage',
  tokensIn,
  tokensOut,
  costUsd: 0,
  cumulative: true,
})
const done: AgentSays = { kind: 'finished', ok: true, text: '' }

describe('recorded streams', () => {
  test.each(streams)('%s begins with its session and has no unknown line', (name) => {
    const all = linesOf(name).flatMap(codexDriver.readEvent)
    const [session] = all
    if (session?.kind !== 'session') throw new Error('no session')
    expect(session.id).toMatch(codexDriver.sessionIdPattern)
    expect(all.filter(({ kind }) => kind === 'unknown')).toEqual([])
  })

  test('text', () => {
    expect(says('text')).toEqual([{ kind: 'said', text: 'stdin ok' }, usage(100, 12), done])
  })

  test('a command with its output', () => {
    expect(says('shell')).toEqual([
      { kind: 'tool_began', tool: 'shell', detail: "/bin/bash -lc 'echo tool-ran'" },
      { kind: 'tool_ended', tool: 'shell', ok: true, detail: 'tool-ran' },
      { kind: 'said', text: expect.stringContaining('FINAL after tool.') },
      usage(200, 24),
      done,
    ])
  })

  test('a command that failed', () => {
    expect(says('command-failed')).toContainEqual({
      kind: 'tool_ended',
      tool: 'shell',
      ok: false,
      detail: 'exit code 3\nbad',
    })
  })

  test('a command that the reviewer declined', () => {
    expect(says('command-declined')).toContainEqual({
      kind: 'tool_ended',
      tool: 'shell',
      ok: false,
      detail: 'declined',
    })
  })

  test("an MCP server's tool", () => {
    expect(says('mcp-tool').slice(0, 2)).toEqual([
      { kind: 'tool_began', tool: 'lab.lab_ping', detail: '{"text":"hello-mcp"}' },
      { kind: 'tool_ended', tool: 'lab.lab_ping', ok: true, detail: 'pong:hello-mcp' },
    ])
  })

  test("an MCP server's tool that was not approved says why", () => {
    expect(says('mcp-not-approved')).toContainEqual({
      kind: 'tool_ended',
      tool: 'lab.lab_ping',
      ok: false,
      detail: 'MCP tool call requires approval, but approval policy is never',
    })
  })

  test('an agent of its own', () => {
    expect(says('own-agent').slice(0, 2)).toEqual([
      { kind: 'tool_began', tool: 'spawn_agent', detail: 'DO:text{from child}' },
      { kind: 'tool_ended', tool: 'spawn_agent', ok: true, detail: expect.stringContaining('pending_init') },
    ])
  })

  test('killed in the middle of a tool: it began, and nothing ended', () => {
    expect(says('killed-in-a-tool').map(({ kind }) => kind)).toEqual(['tool_began'])
  })

  test('a failure that passed is a note', () => {
    expect(says('recovered').map(({ kind }) => kind)).toEqual(['note', 'said', 'usage', 'finished'])
  })

  test.each([
    ['bad-key', 'permanent'],
    ['refused-request', 'permanent'],
    ['missing-key', 'permanent'],
    ['high-demand', 'transient'],
    ['overloaded', 'transient'],
    ['connection-dropped', 'transient'],
    ['unreachable', 'environment'],
  ] as const)('%s is a failure: %s', (name, failure) => {
    const all = says(name)
    expect(all.filter(({ kind }) => kind === 'finished')).toEqual([
      { kind: 'finished', ok: false, text: expect.stringMatching(/./), failure },
    ])
    expect(all.filter(({ kind }) => kind === 'limited')).toEqual([])
  })

  test('a usage limit of today is told without a date', () => {
    const message = expect.stringContaining('try again at 7:41 PM.')
    expect(says('usage-limit').slice(-2)).toEqual([
      { kind: 'limited', message, untilMs: null, resets: 'try again at 7:41 PM.' },
      { kind: 'finished', ok: false, text: message, failure: 'limit' },
    ])
  })

  test('a usage limit of another day is told with its date', () => {
    const resets = 'try again at Nov 19th, 2026 9:14 AM.'
    expect(says('usage-limit-days').at(-2)).toMatchObject({ kind: 'limited', untilMs: null, resets })
  })

  test('a rate limit', () => {
    expect(says('rate-limit').at(-2)).toMatchObject({ kind: 'limited', untilMs: null })
    expect(says('rate-limit').at(-1)).toMatchObject({ ok: false, failure: 'limit' })
  })
})

const item = (type: string, more: object) => ({
  type: 'item.completed',
  item: { id: 'item_1', type, ...more },
})
const change = (path: string, kind: string) => ({ path, kind })
test.each<[unknown, AgentSays[]]>([
  [item('reasoning', { text: 'hm' }), [{ kind: 'note', text: 'hm' }]],
  [
    item('todo_list', {
      items: [
        { text: 'one', completed: true },
        { text: 'two', completed: false },
      ],
    }),
    [{ kind: 'note', text: '[x] one\n[ ] two' }],
  ],
  [
    item('file_change', { changes: [change('a.ts', 'add'), change('b.ts', 'update')], status: 'failed' }),
    [
      { kind: 'tool_ended', tool: 'edit', ok: false, detail: 'add a.ts', file: 'a.ts' },
      { kind: 'tool_ended', tool: 'edit', ok: false, detail: 'update b.ts', file: 'b.ts' },
    ],
  ],
  [
    item('web_search', { query: 'tmux' }),
    [{ kind: 'tool_ended', tool: 'web_search', ok: true, detail: 'tmux' }],
  ],
  [{ type: 'item.updated', item: { id: 'item_1', type: 'todo_list', items: [] } }, []],
  [{ type: 'turn.completed' }, [done]],
])('%j is understood', (event, expected) => expect(read(event)).toEqual(expected))

const strange = [
  null, 7, 'x', [], {}, { type: 'dance' }, { type: '__proto__' }, { type: ['error'] }, { type: 'thread.started' },
  { type: 'error', message: 7 }, { type: 'turn.failed' }, { type: 'turn.failed', error: 'x' }, { type: 'item.completed' },
  { type: 'item.completed', item: { type: 'agent_message' } }, { type: 'item.started', item: { type: 'dance' } },
  { type: 'item.started', item: { type: 'mcp_tool_call', tool: 'x' } },
] // biome-ignore format: one glance is enough
test.each(strange)('%j is unknown', (event) =>
  expect(read(event).map(({ kind }) => kind)).toEqual(['unknown']),
)

test('half a line is unknown', () => {
  const [line = ''] = linesOf('text')
  expect(codexDriver.readEvent(line.slice(0, -5))).toEqual([{ kind: 'unknown', line: line.slice(0, -5) }])
})

test('a line of 5 MB is capped without halving a character', () => {
  const [said] = read(item('agent_message', { text: `x${'🙂'.repeat(1_250_000)}` }))
  if (said?.kind !== 'said') throw new Error('not said')
  expect(said.text.length).toBeLessThanOrEqual(1_000_001)
  expect(said.text.endsWith('🙂…')).toBe(true)
  const output = { status: 'completed', exit_code: 0, aggregated_output: 'y'.repeat(5_000_000) }
  expect(JSON.stringify(read(item('command_execution', output))).length).toBeLessThan(5000)
  expect(JSON.stringify(codexDriver.readEvent('\x1b['.repeat(2_500_000))).length).toBeLessThan(300)
})

test('no line at all makes it throw', () => {
  const types = ['thread.started', 'turn.completed', 'turn.failed', 'item.started', 'item.completed', 'error']
  const items = [
    'agent_message',
    'command_execution',
    'mcp_tool_call',
    'collab_tool_call',
    'file_change',
    'todo_list',
  ]
  const fields = fc.dictionary(
    fc.constantFrom(
      'text',
      'message',
      'status',
      'exit_code',
      'changes',
      'items',
      'result',
      'error',
      'tool',
      'server',
    ),
    fc.jsonValue(),
  )
  const event = fc
    .tuple(fc.constantFrom(...types), fc.constantFrom(...items), fields, fields)
    .map(([type, kind, outer, inner]) => JSON.stringify({ ...outer, type, item: { ...inner, type: kind } }))
  const broken = fc.uint8Array().map((bytes) => Buffer.from(bytes).toString('utf8'))
  fc.assert(
    fc.property(fc.oneof(event, broken, fc.string(), fc.json()), (line) => {
      expect(Array.isArray(codexDriver.readEvent(line))).toBe(true)
    }),
  )
})
