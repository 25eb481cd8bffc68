import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { claudeDriver } from '../../src/agents/claude/driver.ts'
import type { LaunchRequest } from '../../src/ports/run/agent-driver.ts'
import { waitFor } from '../helpers/wait-for.ts'
import { type Outcome, useLab } from './lab.ts'

const lab = useLab()
const ask = (prompt: string, more: Partial<LaunchRequest> = {}, env = {}) =>
  lab.runPlan(claudeDriver, lab.request({ prompt, ...more }), { env })
const endOf = ({ says }: Outcome) => says.findLast(({ kind }) => kind === 'finished')
/** Root may do everything only where nothing can be lost. */
const sandbox = { IS_SANDBOX: '1' }
const inProject = (name: string) => join(lab.project, name)

test('it writes a file, says so, and has the session id we chose', async () => {
  const request = lab.request({ prompt: 'DO:write{made.txt} DO:text{made it}', permission: 'edit' })
  const outcome = await lab.runPlan(claudeDriver, request)
  expect(readFileSync(inProject('made.txt'), 'utf8')).toBe('written by the lab\n')
  expect(outcome.says).toMatchObject([
    { kind: 'session', id: request.sessionId },
    { kind: 'tool_began', tool: 'Write', detail: 'made.txt' },
    { kind: 'tool_ended', ok: true },
    { kind: 'said', text: 'made it' },
    { kind: 'usage', tokensIn: expect.any(Number) },
    { kind: 'finished', ok: true, text: 'made it' },
  ])
  expect(outcome.code).toBe(0)
  expect(lab.strays()).toEqual([])
})

test.each([
  ['DO:http{500}', 'transient'],
  ['DO:http{529}', 'transient'],
  ['DO:drop', 'transient'],
  ['DO:http{429}', 'limit'],
  ['DO:badkey', 'permanent'],
  ['DO:http{404}', 'permanent'],
])('%s ends not ok and %s', async (prompt, failure) => {
  const { says } = await ask(prompt)
  expect(says.filter(({ kind }) => kind === 'finished')).toMatchObject([{ ok: false, failure }])
})

test('a model server that is not there is the environment', async () => {
  const outcome = await ask('x', {}, { ANTHROPIC_BASE_URL: 'http://127.0.0.1:9' })
  expect(endOf(outcome)).toMatchObject({ ok: false, failure: 'environment' })
})

test('without a login it needs a person', async () => {
  const outcome = await ask('x', {}, { ANTHROPIC_API_KEY: '' })
  expect(endOf(outcome)).toMatchObject({
    ok: false,
    failure: 'permanent',
    text: expect.stringContaining('/login'),
  })
})

test('a failure that passes ends well', async () => {
  const { says } = await ask('DO:http{503:1}')
  expect(says.filter(({ kind }) => kind === 'finished')).toMatchObject([{ ok: true }])
})

test("a subscription's usage limit is told with the time of its end", async () => {
  const before = Date.now()
  const subscribed = { ANTHROPIC_API_KEY: '', CLAUDE_CODE_OAUTH_TOKEN: 'sk-ant-oat01-lab' }
  const { says } = await ask('DO:usage{7200}', {}, subscribed)
  const untilMs = says
    .map((said) => (said.kind === 'limited' ? said.untilMs : null))
    .find((ms) => ms !== null)
  expect(untilMs).toBeGreaterThanOrEqual(before + 7_200_000)
  expect(untilMs).toBeLessThan(Date.now() + 7_202_000)
  expect(says.at(-1)).toMatchObject({ kind: 'finished', ok: false, failure: 'limit' })
})

/** It is written a tenth of a second after the fact: who is killed earlier cannot be resumed. */
function isOnDisk(sessionId: string, what: string): boolean {
  const projects = join(lab.home, '.claude/projects')
  const files = existsSync(projects) ? readdirSync(projects, { recursive: true, encoding: 'utf8' }) : []
  const file = files.find((name) => name.endsWith(`${sessionId}.jsonl`))
  return file !== undefined && readFileSync(join(projects, file), 'utf8').includes(what)
}

test('killed in the middle of a tool, it goes on with what was said before', async () => {
  const prompt = 'The word is PINEAPPLE. DO:shell{tail -f /dev/null}'
  const first = lab.request({ prompt, persona: 'PERSONA-MARK', permission: 'full' })
  const running = lab.start(claudeDriver, first, { env: sandbox })
  await running.until('its tool', ({ kind }) => kind === 'tool_began')
  await waitFor('the call on disk', () => isOnDisk(first.sessionId, '"tool_use"'))
  const killed = await running.kill()
  expect(killed.signal).toBe('SIGKILL')
  expect(endOf(killed)).toBeUndefined()

  const resumed = await ask('DO:text{gone on}', { resume: first.sessionId, persona: 'PERSONA-MARK' })
  expect(resumed.says[0]).toEqual({ kind: 'session', id: first.sessionId })
  expect(endOf(resumed)).toEqual({ kind: 'finished', ok: true, text: 'gone on' })
  const { system, turns } = lab.requests().at(-1)!
  expect(turns.map(({ text }) => text).join('\n')).toMatch(/PINEAPPLE[\s\S]*tail -f[\s\S]*gone on/)
  expect(system).toContain('PERSONA-MARK')
})

test('an unknown session is permanent and begins nothing', async () => {
  const outcome = await ask('x', { resume: '00000000-0000-4000-8000-000000000000' })
  expect(endOf(outcome)).toMatchObject({ ok: false, failure: 'permanent' })
  expect(claudeDriver.readStderr(outcome.stderr)).toBe('permanent')
  expect(claudeDriver.lostSession!(outcome.stderr)).toBe(true)
  expect(lab.requests()).toEqual([])
})

test('the session id of another run is refused', async () => {
  const request = lab.request({ prompt: 'DO:text{x}' })
  await lab.runPlan(claudeDriver, request)
  const again = await lab.runPlan(claudeDriver, request)
  expect(again.says).toEqual([])
  expect(claudeDriver.readStderr(again.stderr)).toBe('permanent')
})

test('persona and model arrive', async () => {
  const persona = `You are PERSONA-MARK.\n${'Be kind. '.repeat(20_000)}END-MARK`
  await ask('DO:text{x}', { persona, model: 'other-model' })
  expect(lab.requests()[0]?.model).toBe('other-model')
  expect(lab.requests()[0]?.system).toMatch(/PERSONA-MARK[\s\S]*END-MARK/)
})

test.each(['default', 'read'] as const)("an MCP server's tool is called (%s)", async (permission) => {
  const { says } = await ask('DO:mcp{lab_ping}', { mcp: [lab.mcpServer], permission })
  expect(says).toMatchObject([
    { kind: 'session' },
    { kind: 'tool_began', tool: 'mcp__lab__lab_ping' },
    { kind: 'tool_ended', ok: true, detail: expect.stringContaining('pong') },
    { kind: 'said' },
    { kind: 'usage' },
    { kind: 'finished', ok: true },
  ])
})

/** Rules with which a person lets Claude Code do everything. */
function allowEverything() {
  mkdirSync(join(lab.home, '.claude'), { recursive: true })
  const permissions = { allow: ['Bash', 'Write', 'Edit'], defaultMode: 'acceptEdits' }
  writeFileSync(join(lab.home, '.claude/settings.json'), JSON.stringify({ permissions }))
}

test('read changes nothing, whatever the settings allow', async () => {
  allowEverything()
  await ask('DO:write{a.txt}', { permission: 'read' })
  await ask('DO:shell{touch b.txt}', { permission: 'read' })
  expect(lab.requests().map(({ tools }) => tools)).toEqual(
    Array(2).fill(['Glob', 'Grep', 'Read', 'WebFetch', 'WebSearch']),
  )
  expect(existsSync(inProject('a.txt')) || existsSync(inProject('b.txt'))).toBe(false)
})

test('default does what the settings allow', async () => {
  const denied = await ask('DO:write{a.txt}')
  expect(denied.says).toContainEqual(expect.objectContaining({ kind: 'tool_ended', ok: false }))
  expect(denied.says).toContainEqual({
    kind: 'note',
    text: expect.stringMatching(/^not permitted: Write .*a\.txt$/),
  })
  expect(existsSync(inProject('a.txt'))).toBe(false)
  allowEverything()
  await ask('DO:write{a.txt}')
  expect(existsSync(inProject('a.txt'))).toBe(true)
})

test('edit writes into its directories and runs no command', async () => {
  const extra = join(lab.home, 'extra')
  mkdirSync(extra)
  await ask(`DO:write{${extra}/a.txt}`, { permission: 'edit' })
  expect(existsSync(join(extra, 'a.txt'))).toBe(false)
  await ask(`DO:write{${extra}/a.txt}`, { permission: 'edit', extraDirs: [extra] })
  expect(existsSync(join(extra, 'a.txt'))).toBe(true)
  await ask("DO:shell{node -e \"fs.writeFileSync('b.txt','')\"}", { permission: 'edit' })
  expect(existsSync(inProject('b.txt'))).toBe(false)
})

test('full runs commands', async () => {
  const outcome = await ask(
    'DO:shell{touch /tmp/$$ && rm /tmp/$$ && touch a.txt}',
    { permission: 'full' },
    sandbox,
  )
  expect(endOf(outcome)).toMatchObject({ ok: true })
  expect(existsSync(inProject('a.txt'))).toBe(true)
})

test.runIf(process.getuid?.() === 0)('full is refused to root, who said nothing of a sandbox', async () => {
  const outcome = await ask('x', { permission: 'full' })
  expect(outcome.says).toEqual([])
  expect(claudeDriver.readStderr(outcome.stderr)).toBe('permanent')
})

function hook(event: string) {
  mkdirSync(inProject('.claude'), { recursive: true })
  const hooks = { [event]: [{ hooks: [{ type: 'command', command: 'echo NOT-IN-THIS-HOUSE >&2; exit 2' }] }] }
  writeFileSync(inProject('.claude/settings.json'), JSON.stringify({ hooks }))
}

test.each(['edit', 'full'] as const)("the project's hooks are not bypassed (%s)", async (permission) => {
  hook('PreToolUse')
  const { says } = await ask('DO:write{a.txt}', { permission }, sandbox)
  const detail = expect.stringContaining('NOT-IN-THIS-HOUSE')
  expect(says).toContainEqual(expect.objectContaining({ kind: 'tool_ended', ok: false, detail }))
  expect(says).toContainEqual({ kind: 'blocked', tool: 'Write', why: detail })
  expect(existsSync(inProject('a.txt'))).toBe(false)
})

test('a prompt that a hook holds back is not done', async () => {
  hook('UserPromptSubmit')
  const outcome = await ask('DO:text{x}')
  expect(endOf(outcome)).toMatchObject({
    ok: false,
    failure: 'permanent',
    text: expect.stringContaining('hook'),
  })
  expect(lab.requests()).toEqual([])
})

test.each(['!touch bang.txt', ' !touch bang.txt', '/nonsense', 'see @word', '--help', 'a\x1b[201~b'])(
  'the prompt %j reaches the model as it is',
  async (prompt) => {
    await ask(prompt)
    expect(lab.requests().at(-1)?.turns.at(-1)).toEqual({ role: 'user', text: prompt })
    expect(existsSync(inProject('bang.txt'))).toBe(false)
  },
)

test('a prompt that is a command of its own is not done', async () => {
  expect(endOf(await ask('/help'))).toMatchObject({ ok: false, failure: 'permanent' })
  expect(lab.requests()).toEqual([])
})

// In the midst of a tool it says that it was interrupted; a moment earlier, nothing.
test('interrupted, it does not say that it is done, although it exits with 0', async () => {
  const request = lab.request({ prompt: 'DO:shell{touch began; tail -f /dev/null}', permission: 'full' })
  const running = lab.start(claudeDriver, request, { env: sandbox })
  await waitFor('its tool', () => existsSync(inProject('began')))
  running.signal('SIGINT')
  const outcome = await running.ended
  expect(outcome.code).toBe(0)
  expect(outcome.says).not.toContainEqual(expect.objectContaining({ kind: 'finished', ok: true }))
})

test('a flag it does not know is permanent', async () => {
  const launch = (request: LaunchRequest) => {
    const plan = claudeDriver.launch(request)
    return { ...plan, argv: [...plan.argv, '--no-such-flag'] }
  }
  const outcome = await lab.runPlan({ ...claudeDriver, launch }, lab.request())
  expect(claudeDriver.readStderr(outcome.stderr)).toBe('permanent')
})
