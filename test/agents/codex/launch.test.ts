import { expect, test } from 'vitest'
import { codexDriver } from '../../../src/agents/codex/driver.ts'
import type { LaunchRequest } from '../../../src/ports/run/agent-driver.ts'
import { aRequest } from '../a-request.ts'

const ID = '01a1e084-122f-7c60-a117-f9762ca036cf'
const plain = aRequest()
const begins = ['codex', 'exec', '--json', '--skip-git-repo-check', '-C', '/home/user/project']
const argvOf = (more: Partial<LaunchRequest>) => codexDriver.launch({ ...plain, ...more }).argv
/** What an option adds. */
const added = (more: Partial<LaunchRequest>) => argvOf(more).slice(begins.length, -1)

test('a task begins a session whose id Codex chooses', () => {
  expect(codexDriver.launch(plain)).toEqual({
    argv: [...begins, '-'],
    env: {},
    stdin: 'Fix the login.',
    files: [],
    sessionId: null,
  })
})

test('a session goes on by its id, with the same options', () => {
  const plan = codexDriver.launch({ ...plain, resume: ID, permission: 'read', extraDirs: ['/data'] })
  expect(plan.sessionId).toBe(ID)
  expect(plan.argv).toEqual([
    ...begins,
    ...['--sandbox', 'read-only', '-c', 'approval_policy="never"', '--add-dir', '/data'],
    ...['resume', ID, '-'],
  ])
})

test.each(['my-session', '--last', '', `${ID} `, ID.toUpperCase(), 'pr-12345678'])(
  'resuming %j is refused, because Codex would begin a new session under that name',
  (resume) => {
    expect(() => argvOf({ resume })).toThrow(expect.objectContaining({ code: 'INVALID_ID' }))
    expect(codexDriver.sessionIdPattern.test(resume)).toBe(false)
  },
)

test.each([
  ['default', []],
  ['read', ['--sandbox', 'read-only', '-c', 'approval_policy="never"']],
  ['edit', ['--sandbox', 'workspace-write', '-c', 'approval_policy="never"']],
  ['full', ['--dangerously-bypass-approvals-and-sandbox']],
] as const)('permission %s', (permission, args) => expect(added({ permission })).toEqual(args))

test('a model stays one argument, whatever it looks like', () => {
  expect(added({ model: '--yolo' })).toEqual(['--model=--yolo'])
})

test('every extra directory is added', () => {
  expect(added({ extraDirs: ['/a', '/b c'] })).toEqual(['--add-dir', '/a', '--add-dir', '/b c'])
})

test('a persona is quoted for TOML', () => {
  const persona = 'You\'re "it"\\\n\tno\x7f\x00\ud800 end'
  expect(added({ persona })).toEqual([
    '-c',
    `${String.raw`developer_instructions="You're \"it\"\\\n\tno\u007f\u0000`}\ufffd end"`,
  ])
})

test('a persona that does not fit an argument is refused', () => {
  expect(added({ persona: 'é'.repeat(65_000) })).toHaveLength(2)
  const refusal = expect.objectContaining({ code: 'AGENT_CANNOT' })
  expect(() => argvOf({ persona: 'é'.repeat(66_000) })).toThrow(refusal)
})

test('servers join those of the user, approved and knowing their run', () => {
  const mcp = [
    { name: 'lab', command: '/bin/node', args: ['-e', 'say("hi")'] },
    { name: 'a.b"c', command: 'x', args: [] },
  ]
  const tail =
    '"env_vars"=["HOLDFAST_HOME","HOLDFAST_TASK_ID","HOLDFAST_SESSION_DIR","HOLDFAST_RUN","HOLDFAST_TOKEN_FILE"],"default_tools_approval_mode"="approve","startup_timeout_sec"=30,"tool_timeout_sec"=120'
  expect(added({ mcp })).toEqual([
    '-c',
    String.raw`mcp_servers={"lab"={"command"="/bin/node","args"=["-e","say(\"hi\")"],${tail}},"a.b\"c"={"command"="x","args"=[],${tail}}}`,
  ])
})

test.each(['!rm -rf /', '/quit', 'look at @word', 'a\x1b[201~b', '--help', '-', '', ' \n', '$(x) `y`'])(
  'the prompt %j goes to stdin untouched, and nowhere else',
  (prompt) => {
    const plan = codexDriver.launch({ ...plain, prompt })
    expect(plan.stdin).toBe(prompt)
    expect(plan.argv).toEqual([...begins, '-'])
  },
)

test('what ties one Codex to another is not passed on', () => {
  expect(codexDriver.ownEnv).toContain('CODEX_HOME')
  expect(codexDriver.ownEnv).not.toContain('CODEX_*')
})
