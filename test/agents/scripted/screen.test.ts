import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readScriptedScreen } from '../../../src/agents/scripted/screen.ts'

// The phases of all recorded screens are checked in screens.test.ts.
const recorded = (name: string) =>
  readFileSync(new URL(`../../fixtures/screens/scripted/${name}.txt`, import.meta.url), 'utf8')
const seen = (name: string) => readScriptedScreen({ text: recorded(name) })

test.each([
  ['idle--fresh', null],
  ['idle--draft', 'half typed by a human'],
  ['idle--draft-of-three-lines', 'first line\n\nthird líne 🙂 漢字'],
  ['idle--big-paste', Array.from({ length: 12 }, (_, at) => `line ${at + 189}`).join('\n')],
  ['working--draft', 'a draft meanwhile'],
  ['working--queued-message', null],
  ['limit--draft', 'and now?'],
  ['asking--free-text-draft', 'Ad'],
])('%s has the draft %j', (name, draft) => {
  expect(seen(name).draft).toBe(draft)
})

const twelve = Array.from({ length: 12 }, (_, at) => `number ${at + 1}`)
const long =
  'Is this question, which is longer than a line of this narrow screen, asked whole, or is it cut at the edge?'
test.each([
  ['asking--dialog', 'Which colour?', ['red', 'green', 'blue'], '❯ 1. red'],
  ['asking--third-chosen', 'Which colour?', ['red', 'green', 'blue'], '❯ 3. blue'],
  ['asking--long-question', long, ['yes', 'no'], '❯ 1. yes'],
  ['asking--twelve-options', 'Which number?', twelve, '❯ 1. number 1'],
  ['asking--free-text', 'Your name?', [], 'Asking: Your name?'],
  ['asking--wide', 'Run rm -rf build?', ['Yes', 'Yes, always', 'No, and say what to do instead'], '❯ 1. Yes'],
])('%s is read with its options', (name, text, options, evidence) => {
  expect(seen(name)).toMatchObject({ question: { text, options }, evidence })
})

test('a limit is read with the time of its end, where that is to be seen', () => {
  const message = 'Usage limit reached. It resets at 2026-11-16T00:28:48.991Z.'
  expect(seen('limit--usage').limit).toEqual({ message, until: '2026-11-16T00:28:48.991Z' })
  expect(seen('limit--narrow').limit).toMatchObject({ until: null })
})

test('a box without the cursor is not idle: it is being drawn, or something else has the keys', () => {
  const text = recorded('idle--fresh')
  expect(readScriptedScreen({ text, cursor: { x: 2, y: 20 } }).phase).toBe('idle')
  expect(readScriptedScreen({ text, cursor: { x: 2, y: 19 } }).phase).toBe('unknown')
  expect(readScriptedScreen({ text, cursor: { x: 2, y: 21 } }).phase).toBe('unknown')
})

test('before anything is drawn it is starting, and a stranger is unknown', () => {
  expect(readScriptedScreen({ text: '\n\n' }).phase).toBe('starting')
  expect(readScriptedScreen({ text: 'user@host:~$ ls\nREADME.md' }).phase).toBe('unknown')
})

test.each([
  'Resume with: holdfast-scripted-agent --tui --resume abcdefgh',
  '⠼ Working… esc to interrupt',
  'Asking: Sure?',
  '❯ 1. yes',
])('%j in the transcript or in the box is not its state', (line) => {
  const text = recorded('idle--draft')
  expect(readScriptedScreen({ text: text.replace('\n\n', `\n${line}\n`) }).phase).toBe('idle')
  expect(readScriptedScreen({ text: text.replace('half', line) })).toMatchObject({
    phase: 'idle',
    draft: expect.stringContaining(line),
  })
})

test('no screen makes it throw', () => {
  const rule = '────────'
  const line = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom(rule, rule, '> ', 'enter sends', 'Idle', 'Asking: x', 'Limit: x', '❯ 1. a', '  2. b', ''),
  )
  const cursor = fc.record({ x: fc.integer(), y: fc.integer() })
  fc.assert(
    fc.property(fc.array(line), fc.option(cursor, { nil: undefined }), (lines, at) => {
      const view = { text: lines.join('\n'), ...(at === undefined ? {} : { cursor: at }) }
      expect(readScriptedScreen(view).evidence).not.toBe('')
    }),
  )
})
