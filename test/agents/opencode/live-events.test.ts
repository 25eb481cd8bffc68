import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { opencodeDriver } from '../../../src/agents/opencode/driver.ts'

const opencode = opencodeDriver({ bridge: ['bridge'] })
const read = (event: unknown) => opencode.readEvent(JSON.stringify(event))
const ofServer = (type: string, properties: unknown) => read({ type, properties })
const lines = opencode.lines!

const recorded = (name: string) =>
  readFileSync(new URL(`../../fixtures/events/opencode/${name}.jsonl`, import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .flatMap((line) => opencode.readEvent(line))

describe('recorded conversations', () => {
  test.each(['live-two-turns', 'live-asked', 'live-failures'])('%s is understood line by line', (name) => {
    const says = recorded(name)
    expect(says[0]).toMatchObject({ kind: 'session', id: expect.stringMatching(opencode.sessionIdPattern) })
    expect(says.filter(({ kind }) => kind === 'unknown')).toEqual([])
  })

  test('each prompt is heard, and ends', () => {
    const turns = recorded('live-asked').filter(({ kind }) => kind === 'heard' || kind === 'finished')
    expect(turns).toEqual(
      ['1', '2', '3', '4'].flatMap((ref) => [
        { kind: 'heard', ref, text: null },
        { kind: 'finished', ok: true, text: '' },
      ]),
    )
  })

  test('a file that is written is named', () => {
    const [began] = recorded('live-asked').filter(({ kind }) => kind === 'tool_began')
    expect(began).toMatchObject({ tool: 'write', file: 'made.txt' })
  })

  test('failures are told with their class, and tries with their time', () => {
    const told = recorded('live-failures').filter(({ kind }) => ['finished', 'note'].includes(kind))
    expect(told).toMatchObject([
      { kind: 'finished', ok: false, failure: 'permanent' },
      { kind: 'note', text: expect.stringMatching(/^it tries again at 20\d\d-/) },
      { kind: 'finished', ok: true },
      { kind: 'note', text: expect.stringContaining('The usage limit has been reached') },
    ])
  })
})

describe('lines of the bridge', () => {
  test('a retry is worth reading, with the time it names', () => {
    const retry = (next: unknown) =>
      ofServer('session.status', { status: { type: 'retry', attempt: 1, message: 'too busy', next } })
    expect(retry(1794774331_000)).toEqual([
      { kind: 'note', text: 'it tries again at 2026-11-15T20:25:31.000Z: too busy' },
    ])
    for (const next of [undefined, 'soon', -1, Number.MAX_SAFE_INTEGER])
      expect(retry(next)).toEqual([{ kind: 'note', text: 'it tries again: too busy' }])
  })

  test('a used-up account ends the turn as a limit with its end', () => {
    const message = 'The usage limit has been reached'
    const data = { message, statusCode: 429, responseBody: '{"error":{"resets_at":1794774331}}' }
    expect(read({ type: 'holdfast.finished', error: { name: 'APIError', data } })).toEqual([
      { kind: 'limited', message, untilMs: 1794774331_000 },
      { kind: 'finished', ok: false, text: message, failure: 'limit' },
    ])
  })

  test('a permission names the file it is about, or else its patterns', () => {
    const asked = (more: object) =>
      ofServer('permission.asked', { id: 'per_1', permission: 'edit', patterns: ['a', 'b'], ...more })
    expect(asked({ metadata: { filepath: '/p/x.txt', diff: '…' } })).toMatchObject([
      { kind: 'asked', question: 'Allow edit?\n/p/x.txt', ref: 'per_1' },
    ])
    expect(asked({})).toMatchObject([{ question: 'Allow edit?\na, b' }])
  })

  test('an interrupted turn has no failure to look into', () => {
    const error = { name: 'MessageAbortedError', data: { message: 'Aborted' } }
    expect(read({ type: 'holdfast.finished', error })).toEqual([
      { kind: 'finished', ok: false, text: 'interrupted', interrupted: true },
    ])
  })

  test.each([undefined, 'length', 42])('a turn that ends with %s is no success', (finish) => {
    expect(read({ type: 'holdfast.finished', finish })).toMatchObject([{ kind: 'finished', ok: false }])
  })

  test('a dismissed question is over', () => {
    expect(ofServer('question.rejected', {})).toEqual([{ kind: 'answered', answer: 'dismissed' }])
  })

  test.each([
    ['holdfast.session', {}],
    ['holdfast.heard', {}],
    ['holdfast.note', {}],
    ['message.part.updated', { properties: { part: { type: 'tool' } } }],
    ['message.part.updated', { properties: null }],
    ['session.status', { properties: { status: { type: 'busy' } } }],
    ['permission.asked', { properties: { id: 'per_1' } }],
    ['question.asked', { properties: { id: 'que_1', questions: 'none' } }],
  ])('%s with %j is unknown', (type, fields) => {
    expect(read({ type, ...fields })).toMatchObject([{ kind: 'unknown' }])
  })

  test('a rule of the user’s that keeps it from a tool is told as such', () => {
    const error =
      'The user has specified a rule which prevents you from using this specific tool call. Here are the rules: []'
    const part = { type: 'tool', tool: 'write', state: { status: 'error', input: {}, error } }
    const says = [
      { kind: 'blocked', tool: 'write', why: error },
      { kind: 'tool_ended', tool: 'write', ok: false, detail: error },
    ]
    expect(ofServer('message.part.updated', { part })).toEqual(says)
    expect(read({ type: 'tool_use', part }).slice(1)).toEqual(says)
  })
})

describe('lines to the bridge', () => {
  const options = ['Allow once', 'Allow always', 'Reject']
  const answer = (ref: string, option: number | null, text = '') => {
    const line = lines.answer({ ref, question: '', options }, { option, text })
    return line === null ? null : JSON.parse(line)
  }

  test('a prompt is one line, whatever it holds, and needs no session', () => {
    const text = 'two\nlines "quoted" \u2028 {"type":"answer"}'
    const line = lines.prompt({ ref: 'hf-1', text, session: null })
    expect(line?.indexOf('\n')).toBe(line!.length - 1)
    expect(JSON.parse(line!)).toEqual({ type: 'prompt', ref: 'hf-1', text })
  })

  test('a permission is granted once, for good, or refused; words of one’s own refuse', () => {
    expect(answer('per_1', 0)).toEqual({ type: 'answer', ref: 'per_1', reply: 'once' })
    expect(answer('per_1', 1)).toEqual({ type: 'answer', ref: 'per_1', reply: 'always' })
    expect(answer('per_1', null, 'Use git.')).toMatchObject({ reply: 'reject', message: 'Use git.' })
    expect(answer('per_1', 3)).toBeNull()
  })

  test('a refusal tells it to go on: without a word it would stop', () => {
    expect(answer('per_1', 2, 'Reject')).toMatchObject({
      reply: 'reject',
      message: expect.stringContaining('Go on'),
    })
  })

  test('a question is answered by an option’s words or by one’s own', () => {
    expect(answer('que_1/0', 1)).toEqual({ type: 'answer', ref: 'que_1/0', answer: 'Allow always' })
    expect(answer('que_1/0', null, 'seven')).toMatchObject({ answer: 'seven' })
    expect(answer('que_1/0', 9)).toBeNull()
  })
})
