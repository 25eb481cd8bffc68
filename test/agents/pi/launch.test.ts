import { expect, test } from 'vitest'
import { piDriver } from '../../../src/agents/pi.ts'
import type { LaunchRequest } from '../../../src/ports/agent-driver.ts'

const SESSION = '0d9c1d3e-5a0b-4c7e-9d9f-6f2a1b3c4d5e'
const EARLIER = '01a1e099-7004-755d-b182-302a4e26bb21'

const plan = (overrides: Partial<LaunchRequest> = {}) =>
  piDriver.launch({
    mode: 'headless',
    model: null,
    prompt: 'Say hello.',
    persona: null,
    dir: '/home/user/project',
    permission: 'default',
    extraDirs: [],
    mcp: [],
    sessionId: SESSION,
    resume: null,
    filesDir: '/run/files',
    ...overrides,
  })

const BEGIN = ['pi', '-p', '--mode', 'json']

test('a fresh run has the session id we chose', () => {
  expect(plan()).toEqual({
    argv: [...BEGIN, '--session-id', SESSION],
    env: {},
    stdin: 'Say hello.',
    files: [],
    sessionId: SESSION,
  })
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
  expect(files).toEqual([{ name: 'persona.md', content: '/etc/hostname' }])
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
