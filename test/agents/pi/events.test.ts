import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readPiEvent } from '../../../src/agents/pi/events.ts'

/** Recorded from Pi 0.87.1; the words of its system prompt are taken out. */
const recorded = (what: string) =>
  readFileSync(new URL(`../../fixtures/events/pi/${what}.jsonl`, import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
const heard = (what: string) => recorded(what).flatMap(readPiEvent)
const ends = (what: string) => heard(what).filter(({ kind }) => kind === 'finished')
const read = (event: object) => readPiEvent(JSON.stringify(event))

test('an answer: session, words, tokens, end', () => {
  expect(heard('text')).toEqual([
    { kind: 'session', id: '01a1e099-7004-755d-b182-302a4e26bb21' },
    { kind: 'said', text: 'hi' },
    { kind: 'usage', tokensIn: 100, tokensOut: 12, costUsd: 0 },
    { kind: 'finished', ok: true, text: 'hi' },
  ])
})

test('a tool is told with its command and what came out, and tokens are told once per message', () => {
  const usage = { kind: 'usage', tokensIn: 100, tokensOut: 12, costUsd: 0 }
  expect(heard('tool').slice(1, -2)).toEqual([
    usage,
    { kind: 'tool_began', tool: 'bash', detail: 'echo tool-ran' },
    { kind: 'tool_ended', tool: 'bash', ok: true, detail: 'tool-ran\n' },
    { kind: 'said', text: 'FINAL after tool. Tool said: tool-ran\n' },
  ])
  expect(heard('tool').filter(({ kind }) => kind === 'usage')).toEqual([usage, usage])
  expect(ends('tool')).toEqual([
    { kind: 'finished', ok: true, text: 'FINAL after tool. Tool said: tool-ran\n' },
  ])
})

test('a retry that helps is a note, not an end', () => {
  expect(heard('recovered-after-two-500').filter(({ kind }) => kind === 'note')).toHaveLength(2)
  expect(heard('recovered-after-two-500')[1]).toMatchObject({
    kind: 'note',
    text: expect.stringMatching(/^retry 1 of 3 in 2 s: 500: .*scripted error 500/),
  })
  expect(ends('recovered-after-two-500')).toEqual([
    { kind: 'finished', ok: true, text: 'RECOVERED after 2 failures' },
  ])
})

test.each([
  ['failed-500', 'transient', '500: '],
  ['dropped', 'transient', 'Connection error.'],
  ['dropped-midway', 'transient', 'terminated'],
  ['bad-key', 'permanent', '401: '],
  ['rate-limit', 'limit', '429: '],
  ['usage-limit', 'limit', '429: '],
])('%s ends once, not ok and %s, however often it tried', (what, failure, beginning) => {
  const all = ends(what)
  expect(all).toMatchObject([{ ok: false, failure }])
  expect(all[0]).toMatchObject({ text: expect.stringMatching(new RegExp(`^${beginning}`)) })
})

test('a usage limit names the time of its end; a rate limit has none', () => {
  const limits = (what: string) => heard(what).filter(({ kind }) => kind === 'limited')
  expect(limits('usage-limit')).toMatchObject([{ untilMs: 1_794_771_793_000 }])
  expect(limits('rate-limit')).toMatchObject([{ untilMs: null }])
})

test('a run that was killed in a tool has begun it and has no end', () => {
  expect(heard('killed-in-a-tool').at(-1)).toMatchObject({ kind: 'tool_began', tool: 'bash' })
  expect(ends('killed-in-a-tool')).toEqual([])
})

test('no recorded line is unknown', () => {
  const all = [
    'text',
    'tool',
    'recovered-after-two-500',
    'usage-limit',
    'resumed-after-kill',
    'dropped-midway',
    'conversation',
    'terminal',
  ]
  expect(all.flatMap(heard).filter(({ kind }) => kind === 'unknown')).toEqual([])
})

test('a tool that is refused ends with the reason', () => {
  const content = [{ type: 'text', text: 'Tool write not found' }]
  expect(
    read({
      type: 'tool_execution_end',
      toolCallId: '1',
      toolName: 'write',
      result: { content },
      isError: true,
    }),
  ).toEqual([{ kind: 'tool_ended', tool: 'write', ok: false, detail: 'Tool write not found' }])
})

test('a file tool is told by its path, not by the whole file', () => {
  const args = { path: 'src/a.ts', content: 'x'.repeat(10_000) }
  expect(read({ type: 'tool_execution_start', toolName: 'write', args })).toEqual([
    { kind: 'tool_began', tool: 'write', detail: 'src/a.ts', file: 'src/a.ts' },
  ])
  expect(read({ type: 'tool_execution_start', toolName: 'read', args })[0]).not.toHaveProperty('file')
  expect(read({ type: 'tool_execution_start', toolName: 'web', args: { q: 'a' } })).toEqual([
    { kind: 'tool_began', tool: 'web', detail: '{"q":"a"}' },
  ])
})

const assistant = (more: object) => ({
  role: 'assistant',
  content: [{ type: 'text', text: 'so far' }],
  ...more,
})

test('a turn that stops with tool calls is not the end', () => {
  const content = [{ type: 'toolCall', name: 'bash', arguments: {} }]
  expect(read({ type: 'turn_end', message: { ...assistant({ stopReason: 'stop' }), content } })).toEqual([])
})

test('a tool may end the work without a last word of the model', () => {
  const messages = [assistant({ stopReason: 'toolUse' }), { role: 'toolResult' }]
  expect(read({ type: 'agent_end', messages, willRetry: false })).toEqual([
    { kind: 'finished', ok: true, text: 'so far' },
  ])
})

test('an interrupted answer says so', () => {
  const messages = [assistant({ stopReason: 'aborted', errorMessage: 'This operation was aborted' })]
  expect(read({ type: 'agent_end', messages })).toMatchObject([
    { kind: 'finished', ok: false, interrupted: true },
  ])
})

test.each(['length', 'pending'])('an answer that was cut (%s) did not end well', (stopReason) => {
  const messages = [assistant({ stopReason })]
  expect(read({ type: 'agent_end', messages, willRetry: false })).toEqual([
    { kind: 'finished', ok: false, text: `the model stopped early: ${stopReason}`, failure: 'crash' },
  ])
})

test('an old Pi that does not say whether it tries again has ended each time', () => {
  const messages = [assistant({ stopReason: 'error', errorMessage: '503 overloaded' })]
  expect(read({ type: 'agent_end', messages })).toMatchObject([{ kind: 'finished', failure: 'transient' }])
  expect(read({ type: 'agent_end', messages, willRetry: true })).toEqual([])
})

test('a wait that the provider tells in minutes counts from the time of the message', () => {
  const errorMessage = 'You have hit your ChatGPT usage limit (plus plan). Try again in ~60 min.'
  const messages = [assistant({ stopReason: 'error', errorMessage, timestamp: 1_000_000 })]
  expect(read({ type: 'agent_end', messages, willRetry: false })).toMatchObject([
    { kind: 'limited', untilMs: 1_000_000 + 3_600_000 },
    { kind: 'finished', failure: 'limit' },
  ])
})

test('what came from the cache counts as tokens in, and summaries are paid for too', () => {
  const usage = { input: 1, output: 2, cacheRead: 30, cacheWrite: 400, cost: { total: 0.25 } }
  expect(read({ type: 'message_end', message: { role: 'assistant', content: [], usage } })).toEqual([
    { kind: 'usage', tokensIn: 431, tokensOut: 2, costUsd: 0.25 },
  ])
  expect(read({ type: 'compaction_end', reason: 'threshold', result: { usage } })).toMatchObject([
    { kind: 'note' },
    { kind: 'usage', tokensIn: 431 },
  ])
})

test('what the user said and what the model thought is not said by the agent', () => {
  const user = { role: 'user', content: [{ type: 'text', text: 'the prompt' }] }
  expect(read({ type: 'message_end', message: user })).toEqual([])
  const content = [{ type: 'thinking', thinking: 'hm', text: 'hm' }]
  expect(read({ type: 'message_end', message: { role: 'assistant', content } })).toEqual([])
})

test.each([
  'not json',
  '{"type":"message_end","mess',
  '[]',
  'null',
  '{"type":"future_event"}',
  '{"type":"session"}',
  '{"type":"tool_execution_end","toolName":"bash"}',
  '{"type":"agent_end","messages":"none"}',
])('%s is unknown', (line) => {
  expect(readPiEvent(line)).toEqual([{ kind: 'unknown', line }])
})

test('bytes that were no UTF-8 are kept as what replaced them', () => {
  expect(readPiEvent('{"type":"\ufffd\ufffd"}')).toEqual([
    { kind: 'unknown', line: '{"type":"\ufffd\ufffd"}' },
  ])
})

test('a line of 5 MB is read and capped', () => {
  const content = [{ type: 'text', text: 'x'.repeat(5_000_000) }]
  const [said] = read({ type: 'message_end', message: { role: 'assistant', content } })
  expect(said).toMatchObject({ kind: 'said', text: expect.stringMatching(/^x{1000000}…$/) })
  expect(readPiEvent('y'.repeat(5_000_000))[0]).toMatchObject({
    kind: 'unknown',
    line: `${'y'.repeat(200)}…`,
  })
})

test('no line makes it throw, whole or cut', () => {
  const lines = [...new Set(['usage-limit', 'tool'].flatMap(recorded))]
  fc.assert(fc.property(fc.string({ unit: 'binary' }), (line) => void readPiEvent(line)))
  fc.assert(fc.property(fc.json(), (json) => void readPiEvent(json)))
  fc.assert(
    fc.property(
      fc.constantFrom(...lines),
      fc.nat(),
      (line, at) => void readPiEvent(line.slice(0, at % line.length)),
    ),
  )
})

test('no fields of a known event make it throw', () => {
  const types = recorded('usage-limit').map((line) => JSON.parse(line).type as string)
  const type = fc.constantFrom(
    ...new Set([...types, 'tool_execution_start', 'tool_execution_end', 'compaction_end']),
  )
  const names = ['message', 'messages', 'args', 'result', 'toolName', 'isError', 'role', 'content', 'usage']
  const fields = fc.dictionary(fc.constantFrom(...names), fc.jsonValue())
  fc.assert(fc.property(type, fields, (name, rest) => void read({ ...rest, type: name })))
})
