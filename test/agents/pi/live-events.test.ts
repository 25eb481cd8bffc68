import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readPiEvent } from '../../../src/agents/pi/events.ts'

/** Recorded from Pi 0.87.1; the words of its system prompt are taken out. */
const heard = (what: string) =>
  readFileSync(new URL(`../../fixtures/events/pi/${what}.jsonl`, import.meta.url), 'utf8')
    .trimEnd()
    .split('\n')
    .flatMap(readPiEvent)
const read = (event: object) => readPiEvent(JSON.stringify(event))
const usage = { kind: 'usage', tokensIn: 100, tokensOut: 10, costUsd: 0 }

test('a conversation: its session, each prompt by its name, a question, and an end for each turn', () => {
  expect(heard('conversation')).toEqual([
    { kind: 'session', id: expect.stringMatching(/^[0-9a-f-]{36}$/) },
    { kind: 'heard', ref: 'hf-1', text: null },
    usage,
    { kind: 'tool_began', tool: 'bash', detail: 'echo once' },
    { kind: 'note', text: 'a command comes' },
    {
      kind: 'asked',
      question: 'Allow echo once?',
      options: ['Allow', 'Block'],
      ref: 'select:547e615a-547b-4842-be07-40f511039051',
    },
    { kind: 'tool_ended', tool: 'bash', ok: true, detail: 'once\n' },
    { kind: 'said', text: 'done' },
    usage,
    { kind: 'finished', ok: true, text: 'done' },
    { kind: 'heard', ref: 'hf-2', text: null },
    { kind: 'said', text: 'gone on' },
    usage,
    { kind: 'finished', ok: true, text: 'gone on' },
  ])
})

test('a terminal run: the same by our extension, with a blocked tool and a usage limit', () => {
  const limit = expect.stringMatching(/^429: .*usage_limit_reached/)
  expect(heard('terminal')).toEqual([
    { kind: 'session', id: '5221b37b-8a52-4cc3-b33d-b6c8c02d01d9' },
    { kind: 'heard', ref: 'hf-1', text: 'DO:shell{rm -rf build} DO:text{done}' },
    usage,
    { kind: 'tool_began', tool: 'bash', detail: 'rm -rf build' },
    { kind: 'tool_ended', tool: 'bash', ok: false, detail: 'no rm here' },
    { kind: 'blocked', tool: 'bash', why: 'no rm here' },
    { kind: 'said', text: 'done' },
    usage,
    { kind: 'finished', ok: true, text: 'done' },
    { kind: 'heard', ref: 'hf-2', text: 'DO:usage{7200}' },
    { kind: 'limited', message: limit, untilMs: 1_794_794_027_000 },
    { kind: 'finished', ok: false, text: limit, failure: 'limit' },
  ])
})

test('a prompt that is not taken is a turn that failed; anything else that is not, a note', () => {
  const error = 'No API key found for the selected model.\n\nUse /login to log into a provider'
  expect(read({ type: 'response', id: 'hf-1', command: 'prompt', success: false, error })).toEqual([
    { kind: 'finished', ok: false, text: error, failure: 'permanent' },
  ])
  expect(read({ type: 'response', command: 'parse', success: false, error: 'Unexpected end' })).toEqual([
    { kind: 'note', text: 'it did not understand: Unexpected end' },
  ])
})

test.each([
  [
    'confirm',
    { title: 'Sure?', message: 'It cannot be undone.' },
    'Sure?\nIt cannot be undone.',
    ['Yes', 'No'],
  ],
  ['input', { title: 'Name?', placeholder: 'feature/…' }, 'Name?\nfeature/…', []],
  ['editor', { title: 'The message', prefill: 'one\ntwo' }, 'The message\none\ntwo', []],
])('a dialog of the kind %s is a question', (method, fields, question, options) => {
  expect(read({ type: 'extension_ui_request', id: 'u1', method, ...fields })).toEqual([
    { kind: 'asked', question, options, ref: `${method}:u1` },
  ])
})

test('what an extension only shows is no question, and its failure is a note', () => {
  for (const method of ['setStatus', 'setWidget', 'setTitle', 'set_editor_text'])
    expect(read({ type: 'extension_ui_request', id: 'u1', method, title: 'π' })).toEqual([])
  expect(read({ type: 'extension_error', extensionPath: 'own.ts', event: 'input', error: 'oh' })).toEqual([
    { kind: 'note', text: 'an extension failed: oh' },
  ])
})

test("a person's own prompt has no name", () => {
  const message = { role: 'user', content: [{ type: 'text', text: 'by hand' }] }
  expect(read({ type: 'holdfast_heard', message })).toEqual([{ kind: 'heard', ref: null, text: 'by hand' }])
})

test('a turn without any answer did not end well', () => {
  expect(read({ type: 'holdfast_settled', message: { stopReason: 'no answer' } })).toMatchObject([
    { kind: 'finished', ok: false, text: 'the model stopped early: no answer' },
  ])
})

test.each([
  '{"type":"response"}',
  '{"type":"response","command":"prompt","success":true}',
  '{"type":"response","command":"set_model","success":true,"data":{"sessionId":"x"}}',
  '{"type":"extension_ui_request","id":"u1","method":"hologram","title":"?"}',
  '{"type":"extension_ui_request","id":"u1","method":"select","title":"?","options":[1]}',
  '{"type":"extension_ui_request","method":"input","title":"?"}',
  '{"type":"extension_error"}',
  '{"type":"holdfast_blocked"}',
])('%s is unknown', (line) => {
  expect(readPiEvent(line)).toEqual([{ kind: 'unknown', line }])
})

test('no fields make it throw', () => {
  const types = ['response', 'extension_ui_request', 'extension_error']
  const type = fc.constantFrom(...types, 'holdfast_heard', 'holdfast_blocked', 'holdfast_settled')
  const names = [
    'id',
    'command',
    'success',
    'error',
    'data',
    'method',
    'title',
    'options',
    'message',
    'result',
  ]
  const fields = fc.dictionary(fc.constantFrom(...names), fc.jsonValue())
  fc.assert(fc.property(type, fields, (name, rest) => void read({ ...rest, type: name })))
})
