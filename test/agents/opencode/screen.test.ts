import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { opencodeDriver } from '../../../src/agents/opencode/driver.ts'

const opencode = opencodeDriver({ bridge: ['bridge'] })
const textOf = (name: string) =>
  readFileSync(new URL(`../../fixtures/screens/opencode/${name}.txt`, import.meta.url), 'utf8')
const read = (name: string) => opencode.readScreen({ text: textOf(name) })

test.each([
  ['idle--home', null],
  ['idle--home-wide', null],
  ['idle--finished', null],
  ['idle--finished-wide', null],
  ['idle--unsent', 'half typed by a human'],
  ['idle--draft-of-three-lines', 'b-first\nb-second\nb-third'],
  ['idle--big-paste', '[Pasted ~150 lines]'],
  ['idle--list-of-commands', '/'],
  ['unknown--shell-mode', 'ls'],
])('%s has the draft %j', (name, draft) => expect(read(name).draft).toBe(draft))

test('a draft with a bar in it is still a draft', () => {
  const text = textOf('idle--unsent').replace('half typed by a human', '┃ half ┃ typed ┃')
  expect(opencode.readScreen({ text }).draft).toBe('┃ half ┃ typed ┃')
})

const allow = ['Allow once', 'Allow always', 'Reject']
test.each([
  ['asking--command', '# Shell command\n$ touch oc-perm2.txt', allow],
  ['asking--command-wide', '# Shell command\n$ touch x', allow],
  ['asking--edit', '→ Edit oc-wrote.txt\n1 + written by lab', allow],
  [
    'asking--always-allow-wide',
    'This will allow the following patterns until OpenCode is restarted\n- touch *',
    ['Confirm', 'Cancel'],
  ],
  ['asking--question', 'Which colour?', ['Red', 'Blue', 'Type your own answer']],
  [
    'asking--several-questions',
    'Colour   Size   Confirm\nWhich colour? (select all that apply)',
    ['Red', 'Blue', 'Type your own answer'],
  ],
  ['asking--second-question', 'Colour   Size   Confirm\nWhich size?', ['S', 'L', 'Type your own answer']],
  ['asking--review', 'Colour   Size   Confirm\nReview\nColour: Red\nSize: (not answered)', []],
])('%s asks %j with %j', (name, text, options) => expect(read(name).question).toEqual({ text, options }))

test('a limit is told with its message', () => {
  const message = 'The usage limit has been reached'
  expect(read('limit--retrying').limit).toEqual({ message, until: null })
  expect(read('limit--tries-spent').limit).toEqual({ message, until: null })
  const text = textOf('limit--retrying').replace('[retrying attempt', '[retrying in 59m 3s attempt')
  expect(opencode.readScreen({ text }).limit).toEqual({ message, until: 'in 59m 3s' })
})

test('a failure is told in its own words', () => {
  expect(read('error--bad-key').evidence).toBe('Incorrect API key provided.')
  expect(read('error--model-failed').evidence).toBe('scripted error 500')
})

test('a dialog nobody knows is not idle', () => {
  const text = textOf('asking--command').replace('△ Permission required', 'Something new')
  expect(opencode.readScreen({ text }).phase).toBe('unknown')
})

test('words of a dialog in the conversation are no dialog', () => {
  const text = textOf('idle--finished').replace('Said slowly, over 1 seconds.', '△ Permission required')
  expect(opencode.readScreen({ text }).phase).toBe('idle')
})

test('words of a menu in the conversation are no menu when the cursor is in the box', () => {
  const text = textOf('idle--finished').replace('Said slowly, over 1 seconds.', 'Commands      esc')
  expect(opencode.readScreen({ text, cursor: { x: 5, y: 18 } }).phase).toBe('idle')
  expect(opencode.readScreen({ text }).phase).toBe('unknown')
})

test('a title alone proves nothing', () => {
  expect(opencode.readScreen({ text: 'SHELL$ ls', title: 'OpenCode' }).phase).toBe('unknown')
})

test('no screen makes it throw', () => {
  const pieces = [
    '┃',
    '╹▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀',
    '△ Permission required',
    '▣  Build · m',
    '\n',
    ' ',
    'esc interrupt',
    '1. x',
  ]
  const drawn = fc
    .array(fc.oneof(fc.constantFrom(...pieces), fc.string()), { maxLength: 60 })
    .map((all) => all.join(''))
  const cursor = fc.option(fc.record({ x: fc.integer(), y: fc.integer() }), { nil: undefined })
  fc.assert(
    fc.property(fc.oneof(drawn, fc.string({ unit: 'binary' })), cursor, (text, at) => {
      expect(opencode.readScreen({ text, ...(at && { cursor: at }) }).evidence).not.toBe('')
    }),
  )
})

test('a screen of 5 MB is read', () => {
  expect(opencode.readScreen({ text: '┃  x y \n'.repeat(600_000) }).phase).toBe('unknown')
  expect(opencode.readScreen({ text: ' '.repeat(5_000_000) }).phase).toBe('starting')
})
