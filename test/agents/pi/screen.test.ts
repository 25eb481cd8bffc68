import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readPiScreen } from '../../../src/agents/pi/screen.ts'

// The phases of all recorded screens are checked in ../screens.test.ts.
const recorded = (name: string) =>
  readFileSync(new URL(`../../fixtures/screens/pi/${name}.txt`, import.meta.url), 'utf8')
const seen = (name: string) => readPiScreen({ text: recorded(name) })

test.each([
  ['idle--fresh', null],
  ['idle--draft-of-a-person', 'half typed by a human'],
  ['idle--draft-of-three-lines', 'b-first\nb-second\nb-third'],
  ['idle--big-paste', '[paste #1 +150 lines]'],
  ['idle--command-popup', '/askme'],
  ['idle--draft-taller-than-the-box', 'word4\nword5\nword6\nword7\nword8\nword9'],
  ['idle--wide-with-draft', 'draft of a person'],
  ['working--wide-with-draft', 'draft of a person'],
  ['working--queued-message', null],
])('%s has the draft %j', (name, draft) => {
  expect(seen(name).draft).toBe(draft)
})

test.each([
  ['working--thinking', ' Working'],
  ['working--retrying', ' Retrying (2/3) in '],
  ['working--command-of-a-person', '⠹ Running... (escape/ctrl+c to cancel)'],
  ['error--no-models', 'Warning: No models available. Use /login to log into a provider via OAuth or'],
  ['exited--back-at-the-shell', 'To resume this session: pi --session 01a1e096-def8-70ec-918f-7986c0a25cf3'],
  ['error--no-connection', 'Error: Retry failed after 3 attempts: Connection error.'],
])('%s is known by %j', (name, evidence) => {
  expect(seen(name).evidence).toContain(evidence)
})

test('words cut at the edge of the screen are whole again', () => {
  expect(seen('error--bad-key-narrow').evidence).toContain(
    '{"message":"Incorrect API key provided.","type":"invalid_request_error","code":"invalid_api_key"}',
  )
})

test.each([
  [
    'asking--trust-folder',
    /^Trust project folder\?\n\/home\/user\/project\nThis allows/,
    [
      'Trust',
      'Trust parent folder (/home/user)',
      'Trust (this session only)',
      'Do not trust',
      'Do not trust (this session only)',
    ],
  ],
  ['asking--extension-confirms', /^Dangerous command\nrm -rf build\nAllow\?$/, ['Yes', 'No']],
  ['asking--extension-lets-choose', /^Which database\?$/, ['SQLite', 'PostgreSQL', 'Neither, tell me more']],
  ['asking--extension-wants-a-name', /^Name of the branch\?$/, []],
  [
    'asking--login-method',
    /^Select authentication method:$/,
    ['Sign in with an account', 'Sign in with an API key'],
  ],
  ['asking--choose-model', /^Only showing models/, ['lab-model [lab] · default']],
])('%s is read with its options', (name, text, options) => {
  expect(seen(name).question).toEqual({ text: expect.stringMatching(text), options })
})

test('a usage limit is read with the time of its end', () => {
  expect(seen('limit--usage').limit).toEqual({
    message: expect.stringContaining('The usage limit has been reached'),
    until: '2026-11-15T22:52:49.000Z',
  })
})

test('a box without the cursor is not idle: something else has the keys', () => {
  const text = recorded('idle--fresh')
  expect(readPiScreen({ text, cursor: { x: 0, y: 14 } }).phase).toBe('idle')
  expect(readPiScreen({ text, cursor: { x: 79, y: 16 } }).phase).toBe('unknown')
  expect(readPiScreen({ text, cursor: { x: 0, y: 13 } }).phase).toBe('unknown')
})

test('before the box is drawn it is starting, and a stranger is unknown', () => {
  expect(readPiScreen({ text: '\n\n\n' }).phase).toBe('starting')
  const warning = "Warning: No project session found with id 'x'; creating a new session with that id."
  expect(readPiScreen({ text: warning }).phase).toBe('starting')
  expect(readPiScreen({ text: '\n pi v0.87.1\n escape interrupt' }).phase).toBe('starting')
  expect(readPiScreen({ text: 'user@host:~$ ls\nREADME.md\nuser@host:~$' }).phase).toBe('unknown')
})

test('what an agent says about endings or work is not its own ending or work', () => {
  const box = '────────────\n\n────────────\n~/project\n0.0%/128k'
  const said = [
    ' To resume this session: pi --session x',
    'To resume this session: pi --session x',
    ' ── ⠼ Working ──',
  ]
  for (const line of said) expect(readPiScreen({ text: `${line}\n\n${box}` }).phase).toBe('idle')
})

test('no screen makes it throw', () => {
  const line = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom(
      '────',
      '── ⠼ Working ──',
      '',
      ' → Yes',
      ' escape cancel',
      ' Error: 429: x',
      ' pi v1',
      '> ',
    ),
  )
  const cursor = fc.record({ x: fc.integer(), y: fc.integer() })
  fc.assert(
    fc.property(fc.array(line), fc.option(cursor, { nil: undefined }), (lines, at) => {
      const view = { text: lines.join('\n'), ...(at === undefined ? {} : { cursor: at }) }
      expect(readPiScreen(view).evidence).not.toBe('')
    }),
  )
})
