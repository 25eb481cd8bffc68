import { readdirSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { claudeDriver } from '../../../src/agents/claude/driver.ts'
import type { AgentSays } from '../../../src/ports/run/agent-driver.ts'

const folder = new URL('../../fixtures/events/claude/', import.meta.url)
const linesOf = (name: string) =>
  readFileSync(new URL(`${name}.jsonl`, folder), 'utf8')
    .trim()
    .split('\n')
const says = (name: string) => linesOf(name).flatMap(claudeDriver.readEvent)
const kinds = (name: string) => says(name).map(({ kind }) => kind)
const read = (event: unknown) => claudeDriver.readEvent(JSON.stringify(event))

/** `unknown-session` has none to begin with; `two-turns` and `live-…` were recorded with a live channel. */
const streams = readdirSync(folder).map((file) => file.slice(0, -'.jsonl'.length))
const oneShot = streams.filter((name) => !/^(unknown-session|two-turns|live-.*)$/.test(name))

/** What Claude Code names a call. */
const call = expect.stringMatching(/^toolu_/)

describe('recorded streams', () => {
  test.each(oneShot)('%s begins with its session and has no unknown line', (name) => {
    const [session] = says(name)
    if (session?.kind !== 'session') throw new Error('no session')
    expect(session.id).toMatch(claudeDriver.sessionIdPattern)
    expect(kinds(name)).not.toContain('unknown')
  })

  test('text', () => {
    expect(says('text').slice(1)).toEqual([
      { kind: 'said', text: 'hi' },
      { kind: 'usage', tokensIn: 100, tokensOut: 12, costUsd: 0.00064 },
      { kind: 'finished', ok: true, text: 'hi' },
    ])
  })

  test('a file is written', () => {
    const file = '/home/user/project/claude-hl.txt'
    expect(says('file-written').slice(1, 4)).toEqual([
      { kind: 'said', text: 'Working on it.' },
      { call, kind: 'tool_began', tool: 'Write', detail: file, file },
      {
        call,
        kind: 'tool_ended',
        tool: '',
        ok: true,
        detail: expect.stringMatching(/^File created successfully/),
      },
    ])
  })

  test("an MCP server's tool", () => {
    expect(says('mcp-tool').slice(2, 4)).toEqual([
      { call, kind: 'tool_began', tool: 'mcp__lab__lab_ping', detail: '{"text":"hello-mcp"}' },
      { call, kind: 'tool_ended', tool: '', ok: true, detail: 'pong:hello-mcp' },
    ])
  })

  test.each([
    ['command-denied', /needs approval/, 'not permitted: Bash touch headless-denied.txt'],
    ['mcp-not-allowed', /haven't granted it/, 'not permitted: mcp__lab__lab_ping {"text":"hello-mcp"}'],
    ['blocked-by-hook', /NOT-IN-THIS-HOUSE/, 'not permitted: Write /home/user/project/h.txt'],
  ])('%s says why, and what', (name, why, what) => {
    const all = says(name)
    const detail = expect.stringMatching(why)
    expect(all).toContainEqual({ call, kind: 'tool_ended', tool: '', ok: false, detail })
    expect(all).toContainEqual({ kind: 'note', text: what })
    expect(all.at(-1)).toMatchObject({ kind: 'finished', ok: true })
  })

  test("what a hook of the user's blocks is told as such; what Holdfast did not allow is not", () => {
    const why = expect.stringContaining('NOT-IN-THIS-HOUSE')
    const blocked = (name: string) => says(name).filter(({ kind }) => kind === 'blocked')
    expect(blocked('blocked-by-hook')).toEqual([{ kind: 'blocked', tool: 'Write', why }])
    expect([...blocked('command-denied'), ...blocked('mcp-not-allowed')]).toEqual([])
  })

  test('killed in the middle of a tool: it began, and nothing ended', () => {
    expect(kinds('killed-in-a-tool')).toEqual(['session', 'said', 'tool_began'])
  })

  test('a failure that passed is a note', () => {
    expect(kinds('recovered-after-drop')).toEqual(['session', 'note', 'note', 'said', 'usage', 'finished'])
    expect(says('recovered-after-drop')[1]).toEqual({ kind: 'note', text: 'retry 1 of 2 in 1 s: unknown' })
  })

  test.each([
    ['bad-key', 'permanent', /^Invalid API key/],
    ['not-logged-in', 'permanent', /^Not logged in/],
    ['refused-request', 'permanent', /^API Error: 400/],
    ['unknown-model', 'permanent', /selected model/],
    ['unknown-session', 'permanent', /^No conversation found/],
    ['prompt-blocked-by-hook', 'permanent', /blocked by hook/],
    ['own-command', 'permanent', /isn't available/],
    ['failed-500', 'transient', /500/],
    ['overloaded', 'transient', /529/],
    ['connection-dropped', 'transient', /ECONNRESET/],
    ['unreachable', 'environment', /ECONNREFUSED/],
    ['interrupted', 'crash', /^stopped: aborted_tools$/],
  ] as const)('%s is a failure: %s', (name, failure, text) => {
    const all = says(name)
    const finished = { kind: 'finished', ok: false, text: expect.stringMatching(text), failure }
    expect(all.filter(({ kind }) => kind === 'finished')).toEqual([finished])
    expect(kinds(name)).not.toContain('limited')
  })

  test('a rate limit', () => {
    const message = expect.stringMatching(/^API Error: Request rejected \(429\)/)
    expect(says('rate-limit').slice(-2)).toEqual([
      { kind: 'limited', message, untilMs: null },
      { kind: 'finished', ok: false, text: message, failure: 'limit' },
    ])
  })

  test("a subscription's limit comes with its end", () => {
    const untilMs = 1_794_783_747_000
    expect(says('usage-limit')[1]).toEqual({ kind: 'limited', message: 'usage limit reached', untilMs })
    expect(says('usage-limit').at(-1)).toMatchObject({ ok: false, failure: 'limit' })
  })

  test('a limit that names a time of day keeps its words', () => {
    const text = "You've hit your 5-hour limit · resets 1:28am (UTC)"
    const failed = { type: 'result', subtype: 'success', is_error: true, num_turns: 1, result: text }
    expect(read(failed)).toEqual([
      { kind: 'limited', message: text, untilMs: null, resets: 'resets 1:28am (UTC)' },
      { kind: 'finished', ok: false, text, failure: 'limit' },
    ])
  })

  test('two turns of one process are not counted twice', () => {
    const usage = says('two-turns').filter((said) => said.kind === 'usage')
    expect(usage).toEqual([
      { kind: 'usage', tokensIn: 100, tokensOut: 12, costUsd: 0.00064 },
      { kind: 'usage', tokensIn: 200, tokensOut: 24, costUsd: 0.00128 },
    ])
  })
})

const assistant = (...content: unknown[]) => ({ type: 'assistant', message: { content } })
const user = (...content: unknown[]) => ({ type: 'user', message: { content } })
const lifecycle = (state: string) => ({ type: 'command_lifecycle', command_uuid: 'hf-1', state })
const limits = (rate_limit_info: object) => ({ type: 'rate_limit_event', rate_limit_info })
const result = (more: object) => ({
  type: 'result',
  subtype: 'success',
  is_error: false,
  num_turns: 1,
  ...more,
})
const models = {
  a: {
    inputTokens: 1,
    cacheReadInputTokens: 20,
    cacheCreationInputTokens: 300,
    outputTokens: 4,
    costUSD: 0.5,
  },
  b: { inputTokens: 1000, outputTokens: -7, costUSD: 'free' },
}
test.each<[unknown, AgentSays[]]>([
  [assistant({ type: 'thinking', thinking: 'hm' }), []],
  [
    assistant({ type: 'text', text: 'a' }, { type: 'tool_use', name: 'X', input: { n: 1 } }),
    [
      { kind: 'said', text: 'a' },
      { kind: 'tool_began', tool: 'X', detail: '{"n":1}' },
    ],
  ],
  [
    user({ type: 'tool_result', content: [{ type: 'text', text: 'a' }, { type: 'image' }] }),
    [{ kind: 'tool_ended', tool: '', ok: true, detail: 'a\n[image]' }],
  ],
  [user({ type: 'tool_result' }), [{ kind: 'tool_ended', tool: '', ok: true, detail: '' }]],
  [{ type: 'user', message: { content: 'a prompt' } }, []],
  [{ ...user({ type: 'text', text: 'a prompt' }), isReplay: true, uuid: 'hf-1' }, []],
  [lifecycle('queued'), []],
  [lifecycle('started'), [{ kind: 'heard', ref: 'hf-1', text: null }]],
  [lifecycle('completed'), []],
  [limits({ status: 'allowed', resetsAt: 1 }), []],
  [
    limits({ status: 'allowed_warning', rateLimitType: 'five_hour' }),
    [{ kind: 'note', text: 'the usage limit (five_hour) is near' }],
  ],
  [
    limits({ status: 'rejected', resetsAt: 'soon' }),
    [{ kind: 'limited', message: 'usage limit reached', untilMs: null }],
  ],
  [{ type: 'system', subtype: 'anything_new' }, []],
  [
    { type: 'system', subtype: 'init', session_id: 's', mcp_servers: [{ name: 'lab', status: 'failed' }] },
    [
      { kind: 'session', id: 's' },
      { kind: 'note', text: 'MCP server lab: failed', missingServer: 'lab' },
    ],
  ],
  [
    result({ result: 'x', modelUsage: models }),
    [
      { kind: 'usage', tokensIn: 1321, tokensOut: 4, costUsd: 0.5 },
      { kind: 'finished', ok: true, text: 'x' },
    ],
  ],
  [
    result({ subtype: 'error_max_turns', is_error: true, errors: ['Reached maximum number of turns (3)'] }),
    [{ kind: 'finished', ok: false, text: 'Reached maximum number of turns (3)', failure: 'permanent' }],
  ],
])('%j is understood', (event, expected) => expect(read(event)).toEqual(expected))

test.each([
  ['Permission to use Bash with command rm x\n y has been denied.', { source: 'config' }, ['Bash']],
  ['a house rule', { source: 'hook', reason_type: 'hook' }, ['']],
  ['not in this mode', { source: 'config', reason_type: 'mode' }, []],
  ['No.', { source: 'user_reject' }, []],
])('the refusal %j by %j blocks %j', (content, permission_decision, tools) => {
  const said = read({
    ...user({ type: 'tool_result', tool_use_id: 't', is_error: true, content }),
    tool_result_meta: [{ id: 't', non_execution_kind: 'permission-rule', permission_decision }],
  })
  expect(said[0]).toEqual({ call: 't', kind: 'tool_ended', tool: '', ok: false, detail: content })
  expect(said.slice(1)).toEqual(tools.map((tool) => ({ kind: 'blocked', tool, why: content })))
})

const strange = [
  null, 7, 'x', [], {}, { type: 'dance' }, { type: '__proto__' }, { type: ['result'] }, { type: 'system' },
  { type: 'result' }, { type: 'result', is_error: 'no', subtype: 'success' }, { type: 'rate_limit_event' },
  { type: 'system', subtype: 'init' }, { type: 'control_request', request: {} },
  { type: 'control_request', request_id: 'r', request: { subtype: 'mcp_message' } }, { hook_event_name: 'Dance' },
  { type: 'command_lifecycle' }, { hook_event_name: 'PreToolUse' }, { hook_event_name: 'SessionStart' },
] // biome-ignore format: one glance is enough
test.each(strange)('%j is unknown', (event) => expect(read(event)).toMatchObject([{ kind: 'unknown' }]))

test('half a line, a broken character and 5 MB are taken', () => {
  const [line = ''] = linesOf('text')
  expect(claudeDriver.readEvent(line.slice(0, 500))).toMatchObject([{ kind: 'unknown' }])
  expect(read(assistant({ type: 'text', text: 'a\ufffd\0b' }))).toEqual([
    { kind: 'said', text: 'a\ufffd\ufffdb' },
  ])
  const [said] = read(assistant({ type: 'text', text: 'x'.repeat(5_000_000) }))
  expect(said?.kind === 'said' && said.text.length).toBe(1_000_001)
  expect(JSON.stringify(claudeDriver.readEvent('\x1b['.repeat(2_500_000))).length).toBeLessThan(400)
})

test('no line makes it throw', () => {
  const fields = [
    'subtype',
    'message',
    'content',
    'rate_limit_info',
    'is_error',
    'result',
    'errors',
    'session_id',
  ]
  const event = fc
    .tuple(
      fc.constantFrom('system', 'assistant', 'user', 'result', 'rate_limit_event', 'control_request'),
      fc.dictionary(fc.constantFrom(...fields, 'permission_denials', 'modelUsage'), fc.jsonValue()),
    )
    .map(([type, more]) => JSON.stringify({ subtype: 'init', is_error: true, ...more, type }))
  const blocks = fc
    .tuple(fc.constantFrom(assistant, user), fc.jsonValue())
    .map(([of, value]) =>
      JSON.stringify(of({ type: 'tool_result', name: 'X', content: value, input: value })),
    )
  const line = fc.oneof(fc.string({ unit: 'binary' }), fc.json(), event, blocks)
  fc.assert(fc.property(line, (text) => Array.isArray(claudeDriver.readEvent(text))))
})
