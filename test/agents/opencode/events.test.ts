import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { opencodeDriver } from '../../../src/agents/opencode/driver.ts'
import type { AgentSays } from '../../../src/ports/run/agent-driver.ts'

const opencode = opencodeDriver({ bridge: ['bridge'] })
const linesOf = (name: string) =>
  readFileSync(new URL(`../../fixtures/events/opencode/${name}.jsonl`, import.meta.url), 'utf8')
    .trim()
    .split('\n')
const heard = (name: string) => linesOf(name).flatMap((line) => opencode.readEvent(line))
const read = (event: unknown) => opencode.readEvent(JSON.stringify(event))

const session = (id: string): AgentSays => ({ kind: 'session', id })
const usage: AgentSays = { kind: 'usage', tokensIn: 100, tokensOut: 12, costUsd: 0 }
const done: AgentSays = { kind: 'finished', ok: true, text: '' }

describe('recorded streams', () => {
  test('an answer', () => {
    const id = 'ses_e1f691f23ffejITIKNVsrVrPZ3'
    expect(heard('text')).toEqual([session(id), { kind: 'said', text: 'hi' }, usage, done])
    expect(id).toMatch(opencode.sessionIdPattern)
  })

  test('a command', () => {
    expect(heard('shell').slice(1, 4)).toEqual([
      { kind: 'tool_began', tool: 'bash', detail: 'echo tool-ran' },
      { kind: 'tool_ended', tool: 'bash', ok: true, detail: 'tool-ran\n' },
      usage,
    ])
    expect(heard('shell').at(-1)).toEqual(done)
  })

  test('a tool of an MCP server', () => {
    expect(heard('mcp')).toContainEqual({
      kind: 'tool_ended',
      tool: 'lab_lab_ping',
      ok: true,
      detail: 'pong:hello-mcp',
    })
  })

  test('a refused tool is seen with the reason, and is no result', () => {
    const says = heard('rejected')
    expect(says).toContainEqual({
      kind: 'tool_ended',
      tool: 'bash',
      ok: false,
      detail: 'The user rejected permission to use this specific tool call.',
    })
    expect(says.some(({ kind }) => kind === 'finished')).toBe(false)
  })

  test('a kill leaves the session id, and no result', () => {
    expect(heard('killed')).toEqual([session('ses_e1f61efd6ffeNCFC3NPxV3AwbP')])
    expect(heard('resumed')[0]).toEqual(heard('killed')[0])
  })

  test('a used-up account is a limit with its end', () => {
    const message = 'The usage limit has been reached'
    expect(heard('usage-limit').slice(1)).toEqual([
      { kind: 'limited', message, untilMs: 1794774331_000 },
      { kind: 'finished', ok: false, text: message, failure: 'limit' },
    ])
  })

  test('what only points to the log is no result: stderr tells', () => {
    expect(heard('unknown-model').map(({ kind }) => kind)).toEqual(['session', 'note'])
  })

  test.each([
    ['bad-key', 'permanent'],
    ['drop', 'transient'],
    ['drop-mid-stream', 'transient'],
    ['http-400', 'transient'],
    ['http-500', 'transient'],
  ])('%s fails as %s', (name, failure) => {
    expect(heard(name).at(-1)).toMatchObject({ kind: 'finished', ok: false, failure })
    expect(heard(name)[0]).toMatchObject({ kind: 'session' })
  })
})

describe('steps', () => {
  const step = (part: object) => read({ type: 'step_finish', sessionID: 's', part })

  test('cache and reasoning count', () => {
    const tokens = { input: 1, output: 20, reasoning: 300, cache: { read: 4000, write: 50_000 } }
    expect(step({ reason: 'tool-calls', tokens, cost: 0.25 })).toEqual([
      { kind: 'usage', tokensIn: 54_001, tokensOut: 320, costUsd: 0.25 },
    ])
  })

  test('an answer that was cut off is no success', () => {
    expect(step({ reason: 'length' }).at(-1)).toMatchObject({ kind: 'finished', ok: false, failure: 'crash' })
  })

  test('a command that failed is a tool that failed', () => {
    const state = { status: 'completed', input: {}, output: 'no', metadata: { exit: 1 } }
    const says = read({ type: 'tool_use', part: { tool: 'bash', state } })
    expect(says.at(-1)).toEqual({ kind: 'tool_ended', tool: 'bash', ok: false, detail: 'no' })
  })
})

describe('limits', () => {
  const at = 1_794_770_000_000
  const limited = (data: object, timestamp: unknown = at) =>
    read({
      type: 'error',
      timestamp,
      sessionID: 's',
      error: { name: 'APIError', data: { message: 'Too many', statusCode: 429, ...data } },
    }).find(({ kind }) => kind === 'limited')

  test.each([
    ['a wait in seconds', { 'retry-after': '90' }, at + 90_000],
    ['a date', { 'retry-after': 'Sun, 15 Nov 2026 20:00:00 GMT' }, Date.UTC(2026, 10, 15, 20)],
    ['nonsense', { 'retry-after': 'soon' }, null],
    ['nothing', {}, null],
  ])('the end told as %s', (_, responseHeaders, untilMs) => {
    expect(limited({ responseHeaders })).toMatchObject({ untilMs })
  })

  test('a wait says nothing when nobody knows since when', () => {
    expect(limited({ responseHeaders: { 'retry-after': '90' } }, 'now')).toMatchObject({ untilMs: null })
  })

  test('a conversation grown too long is a note: it goes on', () => {
    const error = { name: 'ContextOverflowError', data: { message: 'too long' } }
    expect(read({ type: 'error', sessionID: 's', error })).toEqual([
      session('s'),
      { kind: 'note', text: 'too long' },
    ])
  })
})

const strange = [
  null, 7, 'text', [], {}, { type: 'dance' }, { type: '__proto__' }, { type: ['text'] }, { type: 'text' },
  { type: 'text', part: { text: 7 } }, { type: 'text', part: null }, { type: 'step_start', sessionID: 7 },
  { type: 'tool_use', part: { tool: 'x' } }, { type: 'step_finish', part: {} }, { type: 'error' },
  { type: 'error', error: { data: { message: 7 } } },
] // biome-ignore format: one glance is enough
test.each(strange)('%j is unknown', (event) =>
  expect(read(event).map(({ kind }) => kind)).toEqual(['unknown']),
)

test('half a line is unknown', () => {
  const [line = ''] = linesOf('text')
  expect(opencode.readEvent(line.slice(0, line.length / 2))[0]?.kind).toBe('unknown')
})

test('what has 5 MB is capped, and no character halved', () => {
  const huge = `x${'🙂'.repeat(1_250_000)}`
  const says = [
    ...read({ type: 'text', part: { text: huge } }),
    ...read({
      type: 'tool_use',
      part: { tool: huge, state: { status: 'error', input: { huge }, error: huge } },
    }),
    ...read({ type: 'error', sessionID: huge, error: { data: { message: huge, statusCode: 429 } } }),
    ...opencode.readEvent(huge),
  ]
  for (const said of says) expect(JSON.stringify(said).length).toBeLessThan(1_001_000)
  expect(says[0]).toMatchObject({ text: expect.stringMatching(/🙂…$/u) })
})

test('broken UTF-8 is kept as it came, NUL is not', () => {
  expect(read({ type: 'text', part: { text: 'a\ufffd\0b' } })).toEqual([
    { kind: 'said', text: 'a\ufffd\ufffdb' },
  ])
})

test('no line at all makes it throw', () => {
  const names = [
    'text',
    'tool',
    'state',
    'status',
    'reason',
    'tokens',
    'cache',
    'error',
    'data',
    'message',
    'metadata',
  ]
  const fields = fc.dictionary(fc.constantFrom(...names), fc.jsonValue({ maxDepth: 3 }))
  const event = fc
    .record({
      type: fc.constantFrom('step_start', 'text', 'tool_use', 'step_finish', 'error'),
      part: fields,
      error: fields,
    })
    .map((value) => JSON.stringify(value))
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.json(), event), (line) => {
      expect(opencode.readEvent(line).length).toBeGreaterThan(0)
    }),
  )
})
