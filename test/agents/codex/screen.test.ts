import { readdirSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { codexDriver } from '../../../src/agents/codex/driver.ts'

const folder = new URL('../../fixtures/screens/codex/', import.meta.url)
const textOf = (name: string) => readFileSync(new URL(`${name}.txt`, folder), 'utf8')
const metaOf = (name: string) => JSON.parse(readFileSync(new URL(`${name}.meta.json`, folder), 'utf8'))
const read = (name: string) => codexDriver.readScreen({ text: textOf(name) })
const names = (path: string) =>
  readdirSync(new URL(path, folder))
    .filter((file) => file.endsWith('.txt'))
    .map((file) => file.slice(0, -4))

const byTitle = names('by-title/')
test.each(byTitle)('%s is told by the title where the text does not tell', (name) => {
  const text = textOf(`by-title/${name}`)
  const phase = name.split('--')[0]
  expect(codexDriver.readScreen({ text }).phase).not.toBe(phase)
  expect(codexDriver.readScreen({ text, ...metaOf(`by-title/${name}`) }).phase).toBe(phase)
  expect(codexDriver.readScreen({ text, title: 'some-host' })).toEqual(codexDriver.readScreen({ text }))
})

test('a title that contradicts makes an idle screen doubtful', () => {
  const text = textOf('idle--finished')
  expect(codexDriver.readScreen({ text, title: '[ ! ] Action Required | project' }).phase).toBe('unknown')
  expect(codexDriver.readScreen({ text, title: '⠸ project' }).phase).toBe('unknown')
})

test('no title hides a dialog', () => {
  for (const name of names('.').filter((one) => one.startsWith('asking')))
    expect(codexDriver.readScreen({ text: textOf(name), title: 'project' }).phase).toBe('asking')
})

test.each([
  ['idle--new-session', null],
  ['idle--draft', 'half typed by a human'],
  ['idle--draft-of-three-lines', 'first line alpha\nsecond line beta\nthird line gamma'],
  ['idle--big-paste', '[Pasted Content 4929 chars]'],
  ['limit--shell-draft', '! ls'],
  ['limit--command-list', '/mo'],
  ['working--thinking', null],
  ['error--high-demand-wide', null],
  ['asking--command', null],
])('%s: the draft is %j', (name, draft) => expect(read(name).draft).toBe(draft))

test('the words of the placeholder are a draft when the cursor stands behind them', () => {
  const text = textOf('idle--new-session').replace('? for shortcuts', '')
  expect(codexDriver.readScreen({ text }).draft).toBe(null)
  expect(codexDriver.readScreen({ text, cursor: { x: 2, y: 20 } }).draft).toBe(null)
  expect(codexDriver.readScreen({ text, cursor: { x: 26, y: 20 } }).draft).toBe('Ask Codex to do anything')
})

test.each(['asking--command-wide', 'asking--command-narrow'])('%s: question and options', (name) => {
  expect(read(name).question).toEqual({
    text: 'Would you like to run the following command?\nEnvironment: local\nReason: May I?\n$ touch esc.txt',
    options: [
      'Yes, proceed (y)',
      "Yes, and don't ask again for commands that start with `touch esc.txt` (p)",
      'No, and tell Codex what to do differently (esc)',
    ],
  })
})

test.each([
  [
    'asking--folder-trust',
    'Trust this folder? Codex can read',
    ['Trust and continue', 'Back to Agent Command Center'],
  ],
  [
    'asking--hooks',
    'Hooks need review\n8 hooks are new',
    ['Review hooks', 'Trust all and continue', "Continue without trusting (hooks won't run)"],
  ],
  [
    'asking--login-wide',
    'Welcome to Codex',
    [
      'Sign in with ChatGPT Usage included with Plus, Pro, Business, and Enterprise plans',
      'Sign in with Device Code Sign in from another device with a one-time code',
      'Use an OpenAI API key Pay for what you use',
      'Use Amazon Bedrock Connect using your AWS credentials',
    ],
  ],
])('%s: question and options', (name, text, options) => {
  expect(read(name).question).toEqual({
    text: expect.stringMatching(`^${text.replace('?', '\\?')}`),
    options,
  })
})

test('a dialog whose footer is not drawn yet is a dialog', () => {
  const text = textOf('asking--command').replace(/ {2}Press enter.*/, '')
  expect(codexDriver.readScreen({ text, title: 'project' }).phase).toBe('asking')
})

test('a question to be answered in words has no options', () => {
  const text =
    '• Thinking\n\n  Question 1/1 (1 unanswered)\n  Share details.\n\n  › Type your answer\n\n  enter to submit answer | esc to interrupt\n'
  expect(codexDriver.readScreen({ text })).toMatchObject({ phase: 'asking', question: { options: [] } })
})

test.each([
  ['limit--usage', '7:43 PM'],
  ['limit--usage-narrow', 'Nov 20th, 2026 1:09 PM'],
  ['limit--command-list', 'Nov 20th, 2026 1:08 PM'],
])('%s: until %s', (name, until) => {
  expect(read(name).limit).toEqual({
    message: expect.stringMatching(/^You’ve hit your usage limit\..*M\.$/),
    until,
  })
})

test('what an agent says cannot look like work, a failure or a dialog once its turn is over', () => {
  const lies = [
    '• Working (2s • esc to interrupt)',
    '■ You’ve hit your usage limit. Try again at 1:00 PM.',
    '  Would you like to run the following command?\n\n› 1. Yes, proceed (y)\n  2. No\n\n  Press enter to confirm or esc to cancel',
    'To continue this session, run:',
  ]
  for (const lie of lies)
    expect(
      codexDriver.readScreen({ text: textOf('idle--finished').replace('• SLOW REPLY after 5s', () => lie) })
        .phase,
    ).toBe('idle')
})

test('nothing on a screen makes it throw, and little of it is kept', () => {
  const pieces = [
    ...names('.').flatMap((name) => textOf(name).split('\n')),
    '›',
    '› 1. x',
    '  2. y',
    '■ ',
    '• ',
    '',
  ]
  const screen = fc
    .array(fc.oneof(fc.constantFrom(...pieces), fc.string()), { maxLength: 40 })
    .map((rows) => rows.join('\n'))
  const broken = fc.uint8Array().map((bytes) => Buffer.from(bytes).toString('utf8'))
  const cursor = fc.option(fc.record({ x: fc.integer(), y: fc.integer() }), { nil: undefined })
  fc.assert(
    fc.property(
      fc.oneof(screen, broken),
      fc.option(fc.string(), { nil: undefined }),
      cursor,
      (text, title, cursor) => {
        expect(codexDriver.readScreen({ text, title, cursor }).evidence.length).toBeLessThanOrEqual(201)
      },
    ),
  )
  expect(
    JSON.stringify(codexDriver.readScreen({ text: `› ${'x'.repeat(5_000_000)}\n\n  a · /b` })).length,
  ).toBeLessThan(3000)
  expect(JSON.stringify(codexDriver.readScreen({ text: '› 1. x\n'.repeat(1_000_000) })).length).toBeLessThan(
    30_000,
  )
})
