import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { claudeDriver } from '../../src/agents/claude/driver.ts'
import type { AgentDriver, LaunchRequest } from '../../src/ports/run/agent-driver.ts'
import { waitFor } from '../helpers/wait-for.ts'
import { useLab } from './lab.ts'
import { startTui } from './tui.ts'

const lab = useLab()
const start = (more: Partial<LaunchRequest> = {}, env = {}) => startTui(lab, claudeDriver, more, { env })
const inProject = (name: string) => join(lab.project, name)
const isEnd = ({ kind }: { kind: string }) => kind === 'finished'
const put = (path: string, content: object) => {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, JSON.stringify(content))
}

test('a prompt is delivered, heard and finished with a file written, and Ctrl-C twice ends the session', async () => {
  const tui = await start({ permission: 'edit' })
  await tui.prompt('DO:write{made.txt} DO:text{made it}')
  await tui.untilSaid('the end of its turn', isEnd)
  expect(tui.says()).toMatchObject([
    { kind: 'session', id: tui.request.sessionId },
    { kind: 'heard', ref: null, text: 'DO:write{made.txt} DO:text{made it}' },
    { kind: 'tool_began', tool: 'Write', detail: inProject('made.txt') },
    { kind: 'tool_ended', tool: 'Write', ok: true },
    { kind: 'finished', ok: true, text: 'made it' },
  ])
  expect(existsSync(inProject('made.txt'))).toBe(true)
  await tui.phase('idle')
  await tui.press('C-c')
  await waitFor('its warning', async () => /again to exit/i.test((await tui.view()).text))
  await tui.press('C-c')
  await tui.ended()
  expect(tui.says().at(-1)).toEqual({ kind: 'note', text: 'the session ended: prompt_input_exit' })
})

const COUNTED = "DO:shell{node -e \"fs.appendFileSync('ran', 'x')\"} DO:text{went on}"

test('a permission is seen as asking with its options, and the option chosen is taken once', async () => {
  const tui = await start()
  await tui.prompt(COUNTED)
  const { question } = await tui.phase('asking')
  expect(question?.text).toContain('fs.appendFileSync')
  expect(question?.options).toMatchObject(
    ['Yes', /^Yes, and/, /^Yes, and/, 'No'].map((option) => expect.stringMatching(option)),
  )
  await waitFor('its status', async () => (await statusOf(tui)) === 'asking')
  expect(existsSync(inProject('ran'))).toBe(false)
  await tui.choose({ option: 0, text: '' })
  await tui.untilSaid('the end of its turn', isEnd)
  expect(readFileSync(inProject('ran'), 'utf8')).toBe('x')
  await waitFor('its status', async () => (await statusOf(tui)) === 'idle')
})

test('a No keeps the tool from running, and ends the turn without a word', async () => {
  const tui = await start()
  await tui.prompt(COUNTED)
  const { question } = await tui.phase('asking')
  await tui.choose({ option: question!.options.indexOf('No'), text: '' })
  await tui.phase('idle')
  expect(existsSync(inProject('ran'))).toBe(false)
  expect(tui.says().some(isEnd)).toBe(false)
})

test('a question of its own is answered by its option', async () => {
  const options = ['Red', 'Blue'].map((label) => ({ label, description: `the ${label} one` }))
  const questions = [{ question: 'Which colour?', header: 'Colour', multiSelect: false, options }]
  const tui = await start()
  await tui.prompt(`DO:tool{AskUserQuestion|${JSON.stringify({ questions })}}`)
  await tui.until('the question', ({ question }) => question?.options[1] === 'Blue')
  await tui.choose({ option: 1, text: '' })
  await tui.untilSaid('the end of its turn', isEnd)
  expect(lab.requests().at(-1)?.turns.at(-1)?.text).toContain('"Which colour?"="Blue"')
})

async function statusOf(tui: Awaited<ReturnType<typeof start>>) {
  const { path, read } = claudeDriver.status!
  const file = path(await tui.pid(), tui.env)
  return existsSync(file) ? read(readFileSync(file, 'utf8')) : 'unknown'
}

/** As it is for somebody who never was in this folder. */
const forgetTrust = () => {
  const file = join(lab.home, '.claude.json')
  writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), projects: {} }))
}

test('a folder it does not know is no question, and rules of that folder allow nothing', async () => {
  forgetTrust()
  put(inProject('.claude/settings.json'), { permissions: { allow: ['Bash'] } })
  const tui = await start()
  await tui.prompt(COUNTED)
  await tui.phase('asking')
  expect(existsSync(inProject('ran'))).toBe(false)
})

test('a menu without numbers is walked to the option', async () => {
  forgetTrust()
  const launch = (request: LaunchRequest) => ({ ...claudeDriver.launch(request), env: {} })
  const asks: AgentDriver = { ...claudeDriver, launch }
  const tui = await startTui(lab, asks)
  const { question } = await tui.phase('asking')
  expect(question?.options).toEqual(['No, exit', 'Yes, I trust this folder'])
  await tui.choose({ option: 1, text: '' })
  await tui.phase('idle')
})

test('full runs commands without a question, also about full itself', async () => {
  const tui = await start({ permission: 'full' }, { IS_SANDBOX: '1' })
  await tui.prompt(COUNTED)
  await tui.untilSaid('the end of its turn', isEnd)
  expect(readFileSync(inProject('ran'), 'utf8')).toBe('x')
})

const clockIn = (text: string) => /^ {2}project \| ctx\(\d+%\) \| (\d\d:\d\d:\d\d)$/m.exec(text)?.[1]

test('its clock ticks while the model thinks', async () => {
  const tui = await start()
  await tui.prompt('DO:hang{60}')
  await tui.phase('working')
  const first = await waitFor('a clock', async () => clockIn((await tui.view()).text), 20_000)
  await waitFor('a later time', async () => (clockIn((await tui.view()).text) ?? first) > first, 20_000)
  expect((await tui.read()).phase).toBe('working')
})

test.each([
  ['their own', () => join(lab.home, '.claude/settings.json')],
  ["the project's", () => inProject('.claude/settings.local.json')],
])('a statusline in %s settings stays', async (_, file) => {
  put(file(), { statusLine: { type: 'command', command: 'echo MY-OWN-LINE' } })
  const tui = await start()
  await tui.phase('idle')
  await waitFor('their line', async () => (await tui.view()).text.includes('MY-OWN-LINE'), 20_000)
})

test("a project's hooks run beside ours, and what they block is told", async () => {
  const command = 'echo NOT-IN-THIS-HOUSE >&2; exit 2'
  put(inProject('.claude/settings.json'), {
    hooks: { PreToolUse: [{ hooks: [{ type: 'command', command }] }] },
  })
  const tui = await start({ permission: 'edit' })
  await tui.prompt('DO:write{made.txt}')
  await tui.untilSaid('the end of its turn', isEnd)
  const why = expect.stringContaining('NOT-IN-THIS-HOUSE')
  expect(tui.says()).toContainEqual({ kind: 'blocked', tool: 'Write', why })
  expect(existsSync(inProject('made.txt'))).toBe(false)
})

test('a usage limit is seen as one, with the time of its end', async () => {
  const tui = await start(
    {},
    { ANTHROPIC_API_KEY: '', CLAUDE_CODE_OAUTH_TOKEN: 'sk-ant-oat01-lab', TZ: 'UTC' },
  )
  await tui.prompt('DO:usage{7200}')
  const { limit } = await tui.phase('limit')
  expect(limit).toEqual({
    message: expect.stringContaining("You've hit your 5-hour limit"),
    until: expect.stringMatching(/^\d+(:\d\d)?[ap]m \(UTC\)$/),
  })
  await tui.untilSaid('the end of its turn', isEnd)
  expect(tui.says().slice(-2)).toMatchObject([
    { kind: 'limited' },
    { kind: 'finished', ok: false, failure: 'limit' },
  ])
})

test('a failed turn is told with its class', async () => {
  const tui = await start()
  await tui.prompt('DO:http{400}')
  expect(await tui.untilSaid('the end of its turn', isEnd)).toMatchObject({ ok: false, failure: 'permanent' })
})

test('resumed by its id, it knows what was said in print mode; a long prompt arrives whole', async () => {
  const persona = 'PERSONA-MARK'
  const first = lab.request({ prompt: 'The word is PINEAPPLE. DO:text{one}', persona })
  await lab.runPlan(claudeDriver, first)
  const tui = await start({ resume: first.sessionId, persona })
  const long = `${Array.from({ length: 150 }, (_, at) => `line ${at}`).join('\n')}\nDO:text{two}`
  await tui.prompt(long)
  await tui.untilSaid('the end of its turn', isEnd)
  expect(tui.says()[0]).toEqual({ kind: 'session', id: first.sessionId })
  expect(tui.says()).toContainEqual({ kind: 'heard', ref: null, text: long })
  const { system, turns } = lab.requests().at(-1)!
  expect(turns.map(({ text }) => text).join('\n')).toMatch(/PINEAPPLE[\s\S]*line 0\n[\s\S]*line 149\n/)
  expect(system).toContain(persona)
})

test('events that cannot be written do not disturb it', async () => {
  const tui = await start({ permission: 'edit' })
  await tui.phase('idle')
  rmSync(tui.request.filesDir, { recursive: true })
  await tui.prompt('DO:write{made.txt} DO:text{made it}')
  await waitFor('the file', () => existsSync(inProject('made.txt')), 20_000)
  await tui.until('the end', ({ phase, evidence }) => phase === 'idle' && evidence.includes('done'))
})
