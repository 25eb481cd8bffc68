import { describe, expect, test } from 'vitest'
import { opencodeDriver } from '../../../src/agents/opencode/driver.ts'
import { PERMISSIONS } from '../../../src/domain/run/permission.ts'
import type { LaunchRequest } from '../../../src/ports/run/agent-driver.ts'
import { aRequest } from '../a-request.ts'

const opencode = opencodeDriver({ bridge: ['bridge'] })
const request = aRequest({ dir: '/p' })
const AGENT = `holdfast-${request.sessionId}`
const SESSION = 'ses_e1f691f23ffejITIKNVsrVrPZ3'
const plain = ['opencode', 'run', '--format=json', '--print-logs', '--log-level=ERROR', '--dir=/p']
const launch = (overrides: Partial<LaunchRequest>) => opencode.launch({ ...request, ...overrides })
const configOf = (overrides: Partial<LaunchRequest>) =>
  JSON.parse(launch(overrides).env.OPENCODE_CONFIG_CONTENT ?? 'null')
const rulesOf = (overrides: Partial<LaunchRequest>) => configOf(overrides).agent[AGENT].permission

test('without options it runs on the user’s own settings', () => {
  expect(launch({})).toEqual({ argv: plain, env: {}, stdin: request.prompt, files: [], sessionId: null })
})

test.each([
  [{ model: 'a/b' }, ['--model=a/b']],
  [{ model: '--auto' }, ['--model=--auto']],
  [{ resume: SESSION }, [`--session=${SESSION}`]],
  [{ permission: 'full' }, ['--auto']],
  [{ permission: 'read' }, [`--agent=${AGENT}`]],
  [
    { permission: 'edit', model: 'a/b', resume: SESSION },
    ['--model=a/b', `--session=${SESSION}`, `--agent=${AGENT}`],
  ],
] as const)('%j adds %j', (overrides, args) => {
  expect(launch(overrides).argv).toEqual([...plain, ...args])
})

test('a resumed session keeps its id, a new one gets its own', () => {
  expect(launch({ resume: SESSION }).sessionId).toBe(SESSION)
  expect(launch({}).sessionId).toBeNull()
})

test.each([
  '!ls',
  '/exit',
  '-p',
  '--help',
  'look at @notes',
  'a\x1b[201~b',
  '"quoted"',
  '$(ls)',
  '{env:HOME}',
  '',
])('the prompt %j goes to stdin untouched and nowhere else', (prompt) => {
  const { argv, env, stdin, files } = launch({ prompt })
  expect({ argv, env, stdin, files }).toEqual({ argv: plain, env: {}, stdin: prompt, files: [] })
})

test('the persona is a file of the run that the settings name', () => {
  const { files, env } = launch({ persona: 'You are {file:/etc/passwd}.' })
  expect(files).toEqual([{ name: 'persona.md', content: 'You are {file:/etc/passwd}.' }])
  expect(JSON.parse(env.OPENCODE_CONFIG_CONTENT ?? '')).toEqual({ instructions: ['/run/files/persona.md'] })
})

test('an MCP server is started with its arguments as they are', () => {
  const server = { name: 'lab', command: '/bin/{env:HOME}', args: ['{file:/etc/passwd}', '--x'] }
  const { env } = launch({ mcp: [server] })
  expect(env.OPENCODE_CONFIG_CONTENT).not.toMatch(/\{(env|file):/)
  expect(JSON.parse(env.OPENCODE_CONFIG_CONTENT ?? '')).toEqual({
    mcp: {
      lab: {
        type: 'local',
        command: ['/bin/{env:HOME}', '{file:/etc/passwd}', '--x'],
        enabled: true,
        timeout: 120_000,
      },
    },
  })
})

describe('settings that the user has in the same variable', () => {
  const lab = { name: 'lab', command: 'x', args: ['{env:OURS}'] }
  const withOwn = (content: string, over: Partial<LaunchRequest> = {}) =>
    launch({ mcp: [lab], env: { OPENCODE_CONFIG_CONTENT: content }, ...over }).env.OPENCODE_CONFIG_CONTENT

  test('stay beneath ours, with the variables that they name', () => {
    const own = {
      model: 'a/b',
      instructions: ['{file:theirs.md}'],
      mcp: { own: { type: 'local', command: ['{env:THEIRS}'] } },
    }
    const content = withOwn(JSON.stringify(own), { persona: 'You are strict.' })
    expect(content).toContain('{env:THEIRS}')
    expect(content).not.toContain('{env:OURS}')
    expect(JSON.parse(content ?? '')).toMatchObject({
      model: 'a/b',
      instructions: ['{file:theirs.md}', '/run/files/persona.md'],
      mcp: { own: own.mcp.own, lab: { command: ['x', '{env:OURS}'] } },
    })
  })

  test.each(['', ' ', '{}'])('%o is nothing to join', (content) => {
    expect(JSON.parse(withOwn(content) ?? '')).toMatchObject({ mcp: { lab: { enabled: true } } })
  })

  test('that are not plain JSON are left alone, unless what we add narrows them', () => {
    expect(withOwn('{ /* mine */ "model": "a/b" }')).toBeUndefined()
    expect(withOwn('{ /* mine */ }', { permission: 'read' })).toContain('"deny"')
  })
})

describe('permissions', () => {
  test('all are declared', () => expect(opencode.can.permissions).toEqual(PERMISSIONS))

  test('read and edit deny first, and differ only in editing', () => {
    const { edit, ...rest } = rulesOf({ permission: 'edit' })
    expect(edit).toBe('allow')
    expect(rulesOf({ permission: 'read' })).toEqual(rest)
    expect(Object.entries(rest)[0]).toEqual(['*', 'deny'])
    for (const tool of ['bash', 'task', 'edit']) expect(rest).not.toHaveProperty(tool)
  })

  test('the tools of the run’s own servers stay allowed', () => {
    const mcp = [{ name: 'hold fast', command: 'x', args: [] }]
    expect(rulesOf({ permission: 'read', mcp })).toHaveProperty('hold_fast_*', 'allow')
  })

  test.each(PERMISSIONS)('other directories are open to %s when they are given', (permission) => {
    const config = configOf({ permission, extraDirs: ['/a/', '/b'] })
    expect(config.permission).toEqual({ external_directory: { '/a/*': 'allow', '/b/*': 'allow' } })
  })

  test('all other directories are closed to read and edit', () => {
    const rules = rulesOf({ permission: 'edit', extraDirs: ['/a'] })
    expect(Object.entries(rules.external_directory)).toEqual([
      ['*', 'deny'],
      ['/a/*', 'allow'],
    ])
  })

  test.each(['/a*', '/a?b'])('%s would open more than it says, and is refused', (dir) => {
    expect(() => launch({ extraDirs: [dir] })).toThrow(expect.objectContaining({ code: 'AGENT_CANNOT' }))
  })
})

test.each([
  [SESSION, true],
  ['ses_e1f691f23ffejITIKNVsrVrPZ3\n', false],
  ['ses_', false],
  ['--fork', false],
  ['msg_e1f691f23ffejITIKNVsrVrPZ3', false],
  ['ses_e1f691f23ffejITIKNVsrVrPZ3/../x', false],
])('%j as a session id: %s', (id, fits) => expect(opencode.sessionIdPattern.test(id)).toBe(fits))

describe('spoken to while it works', () => {
  const live = { converse: true } as const
  const tui = { mode: 'interactive' } as const

  test('headless, the bridge gets lines on stdin and no prompt yet', () => {
    expect(launch({ ...live, model: 'a/b', resume: SESSION })).toEqual({
      argv: ['bridge', '--dir=/p', '--model=a/b', `--session=${SESSION}`],
      env: {},
      stdin: '',
      files: [],
      sessionId: SESSION,
    })
  })

  test('on a terminal, the bridge reads and writes files', () => {
    const { argv, stdin } = launch(tui)
    expect(argv).toEqual([
      ...['bridge', '--tui', '--input=/run/in.jsonl', '--events=/run/events.jsonl', '--dir=/p'],
    ])
    expect(stdin).toBe('')
  })

  test.each([live, tui])('%j: edit asks for commands, read for nothing, full grants all', (way) => {
    expect(rulesOf({ ...way, permission: 'edit' })).toMatchObject({
      '*': 'deny',
      bash: 'ask',
      question: 'allow',
      edit: 'allow',
    })
    expect(Object.values(rulesOf({ ...way, permission: 'read' }))).not.toContain('ask')
    expect(launch({ ...way, permission: 'full' }).argv).toContain('--auto')
    expect(launch({ ...way, permission: 'edit' }).argv).toContain(`--agent=${AGENT}`)
  })

  test('on its screen, a person’s own prompts are held by the same rules and model', () => {
    expect(configOf({ ...tui, permission: 'read', model: 'a/b' })).toMatchObject({
      default_agent: AGENT,
      model: 'a/b',
    })
  })
})
