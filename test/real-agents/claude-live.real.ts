import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { claudeDriver } from '../../src/agents/claude/driver.ts'
import type { AgentSays, Answer, LaunchRequest } from '../../src/ports/run/agent-driver.ts'
import { type Running, useLab } from './lab.ts'

const lab = useLab()
const lines = claudeDriver.lines!
const inProject = (name: string) => join(lab.project, name)
const times = (says: readonly AgentSays[], kind: AgentSays['kind']) =>
  says.filter((said) => said.kind === kind).length

/** It listens, and has heard nothing yet. */
function converse(more: Partial<LaunchRequest> = {}, env = {}) {
  const request = lab.request({ converse: true, ...more })
  const running = lab.start(claudeDriver, request, { env })
  return { request, running, say: (ref: string, text: string) => say(running, ref, text) }
}

const say = (running: Running, ref: string, text: string) =>
  running.tell(lines.prompt({ ref, text, session: null }))

const finished = (running: Running, turns: number) =>
  running.until(`the end of turn ${turns}`, () => times(running.says, 'finished') >= turns)

async function asked(running: Running) {
  const said = await running.until('its question', ({ kind }) => kind === 'asked')
  if (said.kind !== 'asked' || said.ref === undefined) throw new Error('a question that cannot be answered')
  return { ...said, ref: said.ref }
}

const answer = async (running: Running, given: Answer) =>
  running.tell(lines.answer(await asked(running), given))

test('two prompts are heard by their refs, and hanging up ends it', async () => {
  const { request, running, say } = converse()
  say('task-1.1', 'The word is PINEAPPLE. DO:text{one}')
  await finished(running, 1)
  say('task-1.2', 'DO:text{two}')
  await finished(running, 2)
  running.hangUp()
  const { code, says, stderr } = await running.ended
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(says.filter(({ kind }) => kind !== 'usage')).toEqual([
    { kind: 'heard', ref: 'task-1.1', text: null },
    { kind: 'session', id: request.sessionId },
    { kind: 'said', text: 'one' },
    { kind: 'finished', ok: true, text: 'one' },
    { kind: 'heard', ref: 'task-1.2', text: null },
    { kind: 'session', id: request.sessionId },
    { kind: 'said', text: 'two' },
    { kind: 'finished', ok: true, text: 'two' },
  ])
  expect(
    lab
      .requests()
      .at(-1)
      ?.turns.map(({ text }) => text)
      .join('\n'),
  ).toContain('PINEAPPLE')
})

const COUNTED = "DO:shell{node -e \"fs.appendFileSync('ran', 'x')\"} DO:text{went on}"

test('a permission is asked with its options, and what is allowed runs once', async () => {
  const { running, say } = converse()
  say('1', COUNTED)
  const question = await asked(running)
  expect(question.question).toContain('fs.appendFileSync')
  expect(question.options).toEqual(['Allow', expect.stringMatching(/^Allow, and .*Bash\(/), 'Deny'])
  expect(existsSync(inProject('ran'))).toBe(false)
  await answer(running, { option: 0, text: '' })
  await finished(running, 1)
  expect(readFileSync(inProject('ran'), 'utf8')).toBe('x')
  expect(times(running.says, 'asked')).toBe(1)
  expect(running.says).toContainEqual({ kind: 'answered', answer: 'allowed' })
})

test('what is allowed until the session ends is not asked again, and no settings file is written', async () => {
  const { running, say } = converse()
  say('1', COUNTED)
  await answer(running, { option: 1, text: '' })
  await finished(running, 1)
  say('2', COUNTED)
  await finished(running, 2)
  expect(readFileSync(inProject('ran'), 'utf8')).toBe('xx')
  expect(times(running.says, 'asked')).toBe(1)
  expect(existsSync(inProject('.claude'))).toBe(false)
})

test.each<[string, Answer, RegExp]>([
  ['the option', { option: 2, text: '' }, /does not allow/],
  ['words', { option: null, text: 'Use the other file.' }, /Use the other file/],
])('what is denied by %s does not run, and it goes on', async (_, denial, told) => {
  const { running, say } = converse()
  say('1', COUNTED)
  await answer(running, denial)
  await finished(running, 1)
  expect(existsSync(inProject('ran'))).toBe(false)
  expect(running.says).toContainEqual({ kind: 'answered', answer: 'denied' })
  expect(running.says.at(-1)).toEqual({ kind: 'finished', ok: true, text: 'went on' })
  expect(running.says).not.toContainEqual(expect.objectContaining({ kind: 'blocked' }))
  expect(lab.requests().at(-1)?.turns.at(-1)?.text).toMatch(told)
})

const colour = {
  question: 'Which colour?',
  header: 'Colour',
  multiSelect: false,
  options: ['Red', 'Blue'].map((label) => ({ label, description: `the ${label} one` })),
}
const howMany = { ...colour, question: 'How many?', header: 'Number' }
const questions = (...all: object[]) => `DO:tool{AskUserQuestion|${JSON.stringify({ questions: all })}}`

test.each<[string, string, string[], Answer, RegExp]>([
  ['an option', questions(colour), ['Red', 'Blue'], { option: 1, text: '' }, /"Which colour\?"="Blue"/],
  ['words', questions(colour), ['Red', 'Blue'], { option: null, text: 'Green' }, /"Which colour\?"="Green"/],
  [
    'words for both',
    questions(colour, howMany),
    [],
    { option: null, text: 'red, two' },
    /"How many\?"="red, two"/,
  ],
])('a question of its own is answered by %s', async (_, prompt, options, given, told) => {
  const { running, say } = converse()
  say('1', prompt)
  expect(await asked(running)).toMatchObject({ question: expect.stringContaining('Which colour?'), options })
  await answer(running, given)
  await finished(running, 1)
  expect(lab.requests().at(-1)?.turns.at(-1)?.text).toMatch(told)
})

test('edit asks for commands alone', async () => {
  const { running, say } = converse({ permission: 'edit' })
  say('1', `DO:write{made.txt} ${COUNTED}`)
  expect((await asked(running)).question).toContain('Allow Bash?')
  expect(existsSync(inProject('made.txt'))).toBe(true)
  await answer(running, { option: 0, text: '' })
  await finished(running, 1)
  expect(existsSync(inProject('ran'))).toBe(true)
})

test.each([
  ['read', 'DO:write{made.txt}', false],
  ['full', 'DO:write{made.txt}', true],
] as const)('%s asks nothing', async (permission, prompt, isMade) => {
  const { running, say } = converse({ permission }, { IS_SANDBOX: '1' })
  say('1', prompt)
  await finished(running, 1)
  expect(times(running.says, 'asked')).toBe(0)
  expect(existsSync(inProject('made.txt'))).toBe(isMade)
})

test('hung up in the middle of a turn, it ends the turn first', async () => {
  const { running, say } = converse()
  say('1', 'DO:slow{1}')
  await running.until('the prompt heard', ({ kind }) => kind === 'heard')
  running.hangUp()
  const { code, says } = await running.ended
  expect(code).toBe(0)
  expect(says.at(-1)).toMatchObject({ kind: 'finished', ok: true, text: 'Said slowly, over 1 seconds.' })
})

test('hung up with a question open, the tool does not run', async () => {
  const { running, say } = converse()
  say('1', COUNTED)
  await asked(running)
  running.hangUp()
  await running.ended
  expect(existsSync(inProject('ran'))).toBe(false)
})

test('hung up before a prompt, it ends without a result', async () => {
  const { running } = converse()
  running.hangUp()
  expect((await running.ended).says).toEqual([])
})

test('killed in the middle, it says nothing of success; resumed, it knows what was said', async () => {
  const first = converse()
  first.say('1', 'The word is PINEAPPLE. DO:text{one}')
  await finished(first.running, 1)
  first.say('2', 'DO:hang{60}')
  await first.running.until('the second prompt heard', (said) => said.kind === 'heard' && said.ref === '2')
  expect(times((await first.running.kill()).says, 'finished')).toBe(1)

  const { running, say } = converse({ resume: first.request.sessionId })
  say('3', 'DO:text{three}')
  await finished(running, 1)
  expect(running.says).toContainEqual({ kind: 'session', id: first.request.sessionId })
  expect(
    lab
      .requests()
      .at(-1)
      ?.turns.map(({ text }) => text)
      .join('\n'),
  ).toContain('PINEAPPLE')
})

test('a failed turn says so, and the next one is taken', async () => {
  const { running, say } = converse()
  say('1', 'DO:http{400}')
  await finished(running, 1)
  say('2', 'DO:text{fine}')
  await finished(running, 2)
  expect(running.says.filter(({ kind }) => kind === 'finished')).toMatchObject([
    { ok: false, failure: 'permanent' },
    { ok: true, text: 'fine' },
  ])
})

test('300 KB in one message arrive whole', async () => {
  const { running, say } = converse()
  say('1', `${'x'.repeat(300_000)} END-MARK DO:text{ok}`)
  await finished(running, 1)
  expect(lab.requests().at(-1)?.turns.at(-1)?.text).toMatch(/x{300000} END-MARK/)
})

test("a project's hook blocks a tool, and that is told", async () => {
  mkdirSync(inProject('.claude'))
  const hooks = {
    PreToolUse: [{ hooks: [{ type: 'command', command: 'echo NOT-IN-THIS-HOUSE >&2; exit 2' }] }],
  }
  writeFileSync(inProject('.claude/settings.json'), JSON.stringify({ hooks }))
  const { running, say } = converse({ permission: 'edit' })
  say('1', 'DO:write{made.txt}')
  await finished(running, 1)
  const why = expect.stringContaining('NOT-IN-THIS-HOUSE')
  expect(running.says).toContainEqual({ kind: 'blocked', tool: 'Write', why })
  expect(existsSync(inProject('made.txt'))).toBe(false)
})
