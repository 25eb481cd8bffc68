import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readClaudeScreen } from '../../../src/agents/claude/screen.ts'

const folder = new URL('../../fixtures/screens/claude/', import.meta.url)
const recorded = (name: string) => readFileSync(new URL(`${name}.txt`, folder), 'utf8')
const read = (name: string) => readClaudeScreen({ text: recorded(name) })

const RULE = '─'.repeat(40)
const boxed = (above: string, draft = '', footer = '  ⏸ manual mode on') =>
  `${above}\n${RULE}\n❯\u00a0${draft}\n${RULE}\n${footer}\n`

test.each([
  ['idle--fresh', null],
  ['idle--draft', 'unsent words'],
  ['idle--draft-of-three-lines', 'b-first\nb-second\nb-third'],
  ['idle--big-paste', '[Pasted text #1 +149 lines]'],
  ['idle--interrupted-prompt-is-back', 'DO:hang{40}'],
  ['idle--wide-command-popup', '/mod'],
  ['idle--wide-shell-mode', '!'],
  ['idle--wide-shell-mode-draft', '!ls'],
  ['working--message-queued', null],
  ['working--wide-with-draft', 'a thought of a person'],
])('%s has the draft %j', (name, draft) => expect(read(name).draft).toBe(draft))

test.each([
  ['asking--folder-trust', ['No, exit', 'Yes, I trust this folder']],
  ['asking--api-key', ['Yes', 'No (recommended)']],
  ['asking--question', ['Red', 'Blue', 'Type something.', 'Chat about this']],
  ['asking--exit-plan-mode', ['Yes, and switch to default (ask each time) for this session', 'No']],
  [
    'asking--command',
    [
      'Yes',
      'Yes, and always allow access to /home/user/project from this project',
      'Yes, and switch to auto mode · auto mode handles these prompts for you',
      'No',
    ],
  ],
  ['asking--wide-choose-session', []],
])('%s has its options', (name, options) => expect(read(name).question?.options).toEqual(options))

test('a question says what it is about', () => {
  expect(read('asking--question').question?.text).toBe('☐ Colour\nWhich colour?')
  for (const [name, command] of [
    ['asking--command', 'touch claude-perm.txt'],
    ['asking--wide-command', 'touch x.txt'],
  ] as const)
    expect(read(name).question?.text).toBe(
      `Bash command\nA command of the lab\n${command}\nDo you want to proceed?`,
    )
})

test('a limit names its end where it is told', () => {
  const said = '❯ go on\n\n● You’ve hit your session limit ·\n  resets 3pm (Europe/Berlin) · /upgrade'
  expect(readClaudeScreen({ text: boxed(said) })).toMatchObject({
    phase: 'limit',
    limit: { message: expect.stringContaining('session limit'), until: '3pm (Europe/Berlin)' },
  })
  expect(read('limit--session').limit).toMatchObject({ until: '1:28am (UTC)' })
  expect(read('limit--rate').limit).toEqual({ message: expect.stringContaining('(429)'), until: null })
})

test('trouble of an earlier turn is over', () => {
  const text = boxed('❯ one\n\n● API Error: 500 x\n\n❯ two\n\n● Fine.\n\n✻ Baked for 0s · done 6:50 PM')
  expect(readClaudeScreen({ text }).phase).toBe('idle')
})

test('what an agent says about work, dialogs or endings is not its own', () => {
  const said = [
    '● esc to interrupt',
    '  ❯ 1. Yes\n    2. No\n  Esc to cancel',
    '  claude --resume x',
    '  · Thinking…',
  ]
  for (const line of said) expect(readClaudeScreen({ text: boxed(line) }).phase).toBe('idle')
})

test('a draft may look like a menu', () => {
  const text = boxed('', '1. Yes\n  2. No')
  expect(readClaudeScreen({ text })).toMatchObject({ phase: 'idle', draft: '1. Yes\n2. No' })
})

test('a dialog that a shell stands below is over', () => {
  const text = `${recorded('asking--command').trimEnd()}\nuser@host:~$\n`
  expect(readClaudeScreen({ text }).phase).toBe('unknown')
})

test('a box that a shell stands below is the last frame of a dead one', () => {
  const text = `${recorded('working--thinking').trimEnd()}\nuser@host:~$\n`
  expect(readClaudeScreen({ text }).phase).toBe('unknown')
})

test('a title that says busy makes idle doubtful, and garbage in it says nothing', () => {
  const text = recorded('idle--finished')
  expect(readClaudeScreen({ text, title: '◐ Claude Code' }).phase).toBe('unknown')
  expect(readClaudeScreen({ text, title: 'Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA' }).phase).toBe('idle')
})

test('an empty screen is starting, and a stranger is unknown', () => {
  expect(readClaudeScreen({ text: '\n\n\n' }).phase).toBe('starting')
  expect(readClaudeScreen({ text: 'user@host:~$ ls\nREADME.md\nuser@host:~$' }).phase).toBe('unknown')
})

const pieces = [
  RULE,
  '❯\u00a0',
  '❯ 1. Yes',
  '  2. No',
  ' Esc to cancel',
  '✻ Baking…',
  '● API Error: 429',
  '',
  '▔'.repeat(9),
]
test('no screen makes it throw, and with a dialog on it none is idle', () => {
  const line = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom(...pieces))
  fc.assert(
    fc.property(fc.array(line), fc.option(fc.string(), { nil: undefined }), (lines, title) => {
      const view = { text: lines.join('\n'), ...(title === undefined ? {} : { title }) }
      expect(readClaudeScreen(view).evidence).not.toBe('')
    }),
  )
  fc.assert(
    fc.property(fc.array(line), (lines) => {
      const text = [
        ...lines,
        RULE,
        ' Do you want to proceed?',
        ' ❯ 1. Yes',
        '   2. No',
        ' Esc to cancel',
      ].join('\n')
      expect(readClaudeScreen({ text }).phase).toBe('asking')
    }),
  )
})

test('5 MB without a line end are taken', () => {
  for (const text of ['─'.repeat(5_000_000), '❯ '.repeat(2_500_000), '1. '.repeat(1_700_000)])
    expect(readClaudeScreen({ text }).evidence).not.toBe('')
})
