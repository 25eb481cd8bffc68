import { expect, test } from 'vitest'
import { piDriver } from '../../../src/agents/pi/driver.ts'
import type { LaunchRequest } from '../../../src/ports/run/agent-driver.ts'
import { aRequest } from '../a-request.ts'

const SESSION = '0d9c1d3e-5a0b-4c7e-9d9f-6f2a1b3c4d5e'
const EARLIER = '01a1e099-7004-755d-b182-302a4e26bb21'

const plan = (overrides: Partial<LaunchRequest> = {}) =>
  piDriver.launch(aRequest({ prompt: 'Say hello.', sessionId: SESSION, ...overrides }))

const EXTENSION = ['--extension', '/run/files/holdfast.js']
const BEGIN = ['pi', '-p', '--mode', 'json', ...EXTENSION]

test('a fresh run has the session id we chose', () => {
  expect(plan()).toEqual({
    argv: [...BEGIN, '--session-id', SESSION],
    env: {},
    stdin: 'Say hello.',
    files: [{ name: 'holdfast.js', content: expect.stringContaining('"/run/events.jsonl"') }],
    sessionId: SESSION,
  })
})

test('spoken to, it gets no prompt at its start, and is asked for its session', () => {
  expect(plan({ converse: true })).toMatchObject({
    argv: ['pi', '--mode', 'rpc', ...EXTENSION, '--session-id', SESSION],
    stdin: '{"id":"holdfast","type":"get_state"}\n',
    sessionId: SESSION,
  })
})

test('in a terminal it gets no prompt at its start, and its extension knows where to listen', () => {
  const { argv, stdin, files } = plan({ mode: 'interactive', resume: EARLIER })
  expect(argv).toEqual(['pi', '--no-approve', ...EXTENSION, '--session', EARLIER])
  expect(stdin).toBe('')
  expect(files[0]?.content).toContain('"/run/in.jsonl"')
  expect(plan().files[0]?.content).not.toContain('in.jsonl')
})

test.each([
  ['settings.json', { defaultProjectTrust: 'always' }, true],
  ['settings.json', { defaultProjectTrust: 'ask' }, false],
  ['trust.json', { '/home/user/project': false }, true],
  ['trust.json', { '/home/user': true }, true],
  ['trust.json', { '/': true }, true],
  ['trust.json', { '/home/user/project': null, '/home/user/project/sub': true, '/home/use': true }, false],
])('whether the project is trusted stays as %s %j has it: %s', (name, content, isDecided) => {
  const peek = (path: string) =>
    path === `/home/user/.pi/agent/${name}` ? JSON.stringify(content) : undefined
  const { argv } = plan({ mode: 'interactive', env: { HOME: '/home/user' }, peek })
  expect(argv.includes('--no-approve')).toBe(!isDecided)
})

test("the user's own directory for Pi is looked into", () => {
  const peek = (path: string) => (path === '/pi/trust.json' ? '{"/home/user/project":true}' : undefined)
  const env = { HOME: '/home/user', PI_CODING_AGENT_DIR: '/pi' }
  expect(plan({ mode: 'interactive', env, peek }).argv).not.toContain('--no-approve')
})

test('a resumed run names a session that must exist', () => {
  expect(plan({ resume: EARLIER })).toMatchObject({
    argv: [...BEGIN, '--session', EARLIER],
    sessionId: EARLIER,
  })
})

test('the model is one argument, whatever it looks like', () => {
  expect(plan({ model: '--lab/x y' }).argv.slice(-2)).toEqual(['--model', '--lab/x y'])
})

test('the persona goes by file, so that a text that names a file stays a text', () => {
  const { argv, files } = plan({ persona: '/etc/hostname' })
  expect(argv.slice(-2)).toEqual(['--append-system-prompt', '/run/files/persona.md'])
  expect(files).toContainEqual({ name: 'persona.md', content: '/etc/hostname' })
})

test('read leaves only tools that read; full adds nothing to what Pi does by itself', () => {
  expect(plan({ permission: 'read' }).argv.slice(-2)).toEqual(['--tools', 'read,grep,find,ls'])
  expect(plan({ permission: 'full' })).toEqual(plan({ permission: 'default' }))
})

test('everything at once', () => {
  expect(plan({ resume: EARLIER, model: 'lab/m', persona: 'Be brief.', permission: 'read' }).argv).toEqual([
    ...BEGIN,
    ...['--session', EARLIER, '--model', 'lab/m'],
    ...['--append-system-prompt', '/run/files/persona.md', '--tools', 'read,grep,find,ls'],
  ])
})

test.each([
  '!rm -rf /',
  '/quit',
  'look at @README',
  'a\x1b[201~b',
  '--help',
  '-p\n--mode rpc',
  '@/etc/passwd',
])('the prompt %j goes to stdin as it is, and nowhere else', (prompt) => {
  expect(plan({ prompt })).toEqual({ ...plan(), stdin: prompt })
})

test('only whole UUIDs are session ids: a path or a part of an id would be searched for', () => {
  const { sessionIdPattern } = piDriver
  expect([SESSION, EARLIER].every((id) => sessionIdPattern.test(id))).toBe(true)
  for (const id of ['', '01a1e099', '../x.jsonl', `${SESSION}\n`, `${SESSION}x`, '--continue', 'kill-nine-1'])
    expect(sessionIdPattern.test(id)).toBe(false)
})
