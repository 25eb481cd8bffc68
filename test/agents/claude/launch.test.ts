import { expect, test } from 'vitest'
import { claudeDriver } from '../../../src/agents/claude/driver.ts'
import { allowedEnv } from '../../../src/domain/run/caller-environment.ts'
import type { LaunchRequest } from '../../../src/ports/run/agent-driver.ts'
import { aRequest } from '../a-request.ts'

const ID = '8da0bd86-1149-4f5c-837a-a83a595010f9'
const OTHER_ID = '5921e97b-71f9-4003-b69e-1322ae355924'
const plain = aRequest({ sessionId: ID, filesDir: '/runs/1/files' })
const begins = ['claude', '-p', '--output-format=stream-json', '--verbose', `--session-id=${ID}`]
const planOf = (more: Partial<LaunchRequest>) => claudeDriver.launch({ ...plain, ...more })
/** What an option adds. */
const added = (more: Partial<LaunchRequest>) => planOf(more).argv.slice(begins.length)

test('a task begins the session we chose', () => {
  const stdin = 'Fix the login.'
  expect(planOf({})).toEqual({ argv: begins, env: {}, stdin, files: [], sessionId: ID })
})

test('a session goes on by its id, with the same options', () => {
  const plan = planOf({ resume: OTHER_ID, permission: 'edit', model: 'opus' })
  expect(plan.sessionId).toBe(OTHER_ID)
  const options = [`--resume=${OTHER_ID}`, '--model=opus', '--permission-mode=acceptEdits']
  expect(plan.argv).toEqual([...begins.slice(0, -1), ...options])
})

test('a conversation has no prompt yet, and asks on stdout', () => {
  const { argv, stdin } = planOf({ converse: true, permission: 'edit' })
  const talks = ['--input-format=stream-json', '--permission-prompt-tool=stdio', '--replay-user-messages']
  expect(argv).toEqual([
    ...begins.slice(0, -1),
    ...talks,
    `--session-id=${ID}`,
    '--permission-mode=acceptEdits',
  ])
  expect(stdin).toBe('')
})

test.each(['my-session', '', `${ID} `, ID.toUpperCase(), '--continue'])(
  'resuming %j is refused, because Claude Code would look for a session of that name',
  (resume) => {
    expect(() => planOf({ resume })).toThrow(expect.objectContaining({ code: 'INVALID_ID' }))
    expect(claudeDriver.sessionIdPattern.test(resume)).toBe(false)
  },
)

const readOnly = ['--tools=Read,Glob,Grep,WebFetch,WebSearch', '--permission-mode=dontAsk']
test.each([
  ['default', []],
  ['read', [...readOnly, '--strict-mcp-config']],
  ['edit', ['--permission-mode=acceptEdits']],
  ['full', ['--permission-mode=bypassPermissions']],
] as const)('permission %s', (permission, args) => expect(added({ permission })).toEqual(args))

test('a model and directories stay one argument each, whatever they look like', () => {
  const odd = { model: '--continue', extraDirs: ['/data', '-p', '/with space'] }
  expect(added(odd)).toEqual([
    '--model=--continue',
    '--add-dir=/data',
    '--add-dir=-p',
    '--add-dir=/with space',
  ])
})

test('a persona goes by file, because it may be longer than an argument', () => {
  const persona = `You are strict.\n${'x'.repeat(300_000)}`
  const plan = planOf({ persona })
  expect(plan.argv.slice(begins.length)).toEqual(['--append-system-prompt-file=/runs/1/files/persona.md'])
  expect(plan.files).toEqual([{ name: 'persona.md', content: persona }])
})

test("MCP servers go by file and are allowed; the user's own stay", () => {
  const lab = { name: 'lab.one', command: '/bin/node', args: ['-e', '"quoted" $HOME'] }
  const plan = planOf({ mcp: [lab, { ...lab, name: 'two' }] })
  expect(plan.argv.slice(begins.length)).toEqual([
    '--mcp-config=/runs/1/files/mcp.json',
    '--allowedTools=mcp__lab_one',
    '--allowedTools=mcp__two',
  ])
  const { command, args } = lab
  expect(plan.files.map(({ name }) => name)).toEqual(['mcp.json'])
  expect(JSON.parse(plan.files[0]!.content)).toEqual({
    mcpServers: { 'lab.one': { command, args }, two: { command, args } },
  })
})

test('where it may only read, the servers that it is given are the only ones', () => {
  const { argv } = planOf({ permission: 'read', mcp: [{ name: 'lab', command: 'x', args: [] }] })
  expect(argv).toContain('--strict-mcp-config')
  expect(argv).toContain('--allowedTools=mcp__lab')
})

test.each(['lab,Bash', 'lab Bash', '', '../x'])('an MCP server named %j allows nothing else', (name) => {
  const mcp = [{ name, command: 'x', args: [] }]
  expect(() => planOf({ mcp })).toThrow(expect.objectContaining({ code: 'INVALID_NAME' }))
})

test.each(['!touch x', '/clear', 'see @word', '--help', '-', 'a\x1b[201~b', '$(id) `id`\n\n', ' '])(
  'the prompt %j goes to stdin as it is, and nowhere else',
  (prompt) => expect(planOf({ prompt })).toEqual({ ...planOf({}), stdin: prompt }),
)

test("the user's login and settings reach it, and nothing of a Claude Code that called Holdfast", () => {
  const own = {
    ANTHROPIC_API_KEY: 'k',
    CLAUDE_CONFIG_DIR: '/c',
    CLAUDE_CODE_USE_BEDROCK: '1',
    IS_SANDBOX: '1',
  }
  const callers = {
    CLAUDECODE: '1',
    CLAUDE_CODE_SESSION_ID: ID,
    CLAUDE_CODE_CHILD_SESSION: '1',
    CLAUDE_CODE_ENTRYPOINT: 'cli',
    CLAUDE_CODE_MESSAGING_SOCKET: '/s',
    CLAUDE_CODE_MESSAGING_TOKEN: 't',
    CLAUDE_PID: '1',
    AWS_SECRET_ACCESS_KEY: 's',
  }
  expect(allowedEnv({ ...own, ...callers }, claudeDriver.ownEnv)).toEqual(own)
})
