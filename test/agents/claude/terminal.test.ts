import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { claudeDriver } from '../../../src/agents/claude/driver.ts'
import type { LaunchRequest } from '../../../src/ports/run/agent-driver.ts'
import { tempDir } from '../../helpers/temp-dir.ts'
import { aRequest } from '../a-request.ts'

const ID = '8da0bd86-1149-4f5c-837a-a83a595010f9'
const plain = aRequest({
  mode: 'interactive',
  sessionId: ID,
  filesDir: "/runs/it's 1/files",
  eventsFile: '/runs/1/events.jsonl',
  env: { HOME: '/home/user' },
})
const planOf = (more: Partial<LaunchRequest> = {}) => claudeDriver.launch({ ...plain, ...more })
const settingsOf = (more: Partial<LaunchRequest> = {}) =>
  JSON.parse(planOf(more).files.find(({ name }) => name === 'settings.json')!.content)
const having = (file: string, settings: object) => (path: string) =>
  path === file ? JSON.stringify(settings) : undefined

test('its interface starts with settings of this run, and no prompt', () => {
  const { argv, stdin, sessionId } = planOf()
  const settings = "--settings=/runs/it's 1/files/settings.json"
  expect(argv).toEqual(['claude', settings, '--permission-mode=manual', `--session-id=${ID}`])
  expect({ stdin, sessionId }).toEqual({ stdin: '', sessionId: ID })
  expect(planOf({ resume: ID, permission: 'edit' }).argv.slice(2)).toEqual([
    `--resume=${ID}`,
    '--permission-mode=acceptEdits',
  ])
})

test("a mode of the user's settings is theirs; a project's is not asked", () => {
  const mode = (file: string) => having(file, { permissions: { defaultMode: 'acceptEdits' } })
  const argv = (file: string) => planOf({ peek: mode(file) }).argv
  expect(argv('/home/user/.claude/settings.json')).not.toContain('--permission-mode=manual')
  expect(argv('/home/user/project/.claude/settings.json')).toContain('--permission-mode=manual')
})

test.each([
  ['/home/user/.claude/settings.json', {}],
  ['/elsewhere/settings.json', { CLAUDE_CONFIG_DIR: '/elsewhere' }],
  ['/home/user/project/.claude/settings.json', {}],
  ['/home/user/project/.claude/settings.local.json', {}],
])('a statusline in %s keeps ours away', (file, env) => {
  const request = { env: { ...plain.env, ...env } }
  expect(settingsOf(request).statusLine).toMatchObject({ refreshInterval: 5 })
  expect(settingsOf({ ...request, peek: having(file, { statusLine: {} }) }).statusLine).toBeUndefined()
})

test('only who asked for full is not asked about it', () => {
  expect(settingsOf({ permission: 'full' }).skipDangerousModePermissionPrompt).toBe(true)
  expect(settingsOf().skipDangerousModePermissionPrompt).toBeUndefined()
})

/** The plan's files, in a folder with a difficult name. */
function written() {
  const filesDir = tempDir("it's $a-")
  const eventsFile = join(filesDir, 'events.jsonl')
  const { files } = planOf({ filesDir, eventsFile })
  for (const { name, content } of files) writeFileSync(join(filesDir, name), content)
  writeFileSync(eventsFile, '')
  const settings = settingsOf({ filesDir, eventsFile })
  const hook: string = settings.hooks.Stop[0].hooks[0].command
  return { filesDir, eventsFile, hook, clock: settings.statusLine.command as string }
}

const run = (command: string, input: string, cwd = '/') =>
  spawnSync('sh', ['-c', command], { input, cwd, encoding: 'utf8' })

test('a hook appends its line, whole and ended, and says nothing', () => {
  const { filesDir, eventsFile, hook } = written()
  const long = JSON.stringify({ x: 'y'.repeat(300_000) })
  for (const input of ['{"a":1}', '{"b":2}\n', long])
    expect(run(hook, input)).toMatchObject({ status: 0, stdout: '', stderr: '' })
  expect(readFileSync(eventsFile, 'utf8')).toBe(`{"a":1}\n{"b":2}\n${long}\n`)
  expect(readdirSync(filesDir).filter((name) => name.startsWith('hook.'))).toEqual(['hook.sh'])
})

test('a hook whose script is gone forbids nothing', () => {
  const { filesDir, hook } = written()
  rmSync(join(filesDir, 'hook.sh'))
  expect(run(hook, '{}').status).toBe(0)
})

test('the clock shows folder, context and time', () => {
  const { filesDir, clock } = written()
  const used =
    '{"limits":{"used_percentage":3},"context_window":{"used_percentage":42.7,"remaining_percentage":57}}'
  const form = (percent: number) =>
    new RegExp(`^it's \\$a-\\w+ \\| ctx\\(${percent}%\\) \\| \\d\\d:\\d\\d:\\d\\d\n$`)
  expect(run(clock, used, filesDir).stdout).toMatch(form(42))
  expect(run(clock, '{}', filesDir).stdout).toMatch(form(0))
})

const folder = new URL('../../fixtures/events/claude/', import.meta.url)
const says = (name: string) =>
  readFileSync(new URL(`${name}.jsonl`, folder), 'utf8')
    .trim()
    .split('\n')
    .flatMap(claudeDriver.readEvent)

test('recorded: what hooks tell of turns', () => {
  const prompt = 'DO:shell{echo hi; exit 3} DO:text{ok}'
  expect(says('terminal-turns')).toEqual([
    { kind: 'session', id: expect.stringMatching(claudeDriver.sessionIdPattern) },
    { kind: 'heard', ref: null, text: prompt },
    { kind: 'tool_began', tool: 'Bash', detail: 'echo hi; exit 3' },
    { kind: 'note', text: 'asks: Allow Bash?\necho hi; exit 3' },
    { kind: 'tool_ended', tool: 'Bash', ok: false, detail: 'Exit code 3\nhi' },
    { kind: 'finished', ok: true, text: 'ok' },
    { kind: 'heard', ref: null, text: 'DO:http{400}' },
    { kind: 'finished', ok: false, text: 'API Error: 400 scripted error 400', failure: 'permanent' },
    { kind: 'heard', ref: null, text: 'DO:usage{7200}' },
    { kind: 'limited', message: expect.stringContaining('429'), untilMs: null },
    { kind: 'finished', ok: false, text: expect.stringContaining('429'), failure: 'limit' },
    { kind: 'note', text: 'the session ended: other' },
  ])
})

test('of a command, what it printed is told', () => {
  const ended = (stdout: string, stderr: string) =>
    claudeDriver.readEvent(
      JSON.stringify({
        hook_event_name: 'PostToolUse',
        tool_name: 'Bash',
        tool_response: { stdout, stderr, interrupted: false, isImage: false },
      }),
    )
  const told = (detail: string) => [{ kind: 'tool_ended', tool: 'Bash', ok: true, detail }]
  expect(ended('out', 'err')).toEqual(told('out\nerr'))
  expect(ended('', '')).toEqual(told(''))
})

test('recorded: a tool that a hook blocked', () => {
  const why = expect.stringContaining('NOT-IN-THIS-HOUSE')
  expect(says('terminal-blocked-by-hook').slice(3)).toEqual([
    { kind: 'tool_ended', tool: 'Write', ok: false, detail: why },
    { kind: 'blocked', tool: 'Write', why },
    { kind: 'finished', ok: true, text: 'ok' },
    { kind: 'note', text: 'the session ended: other' },
  ])
})

test.each([
  ['{"status":"idle"}', 'idle'],
  ['{"status":"busy"}', 'working'],
  ['{"status":"waiting","waitingFor":"permission prompt"}', 'asking'],
  ['{"status":"dancing"}', 'unknown'],
  ['{"stat', 'unknown'],
])('its status file %s is %s', (text, phase) => expect(claudeDriver.status!.read(text)).toBe(phase))

test('its status file lies with its settings', () => {
  const { path } = claudeDriver.status!
  expect(path(7, { HOME: '/home/user' })).toBe('/home/user/.claude/sessions/7.json')
  expect(path(7, { HOME: '/home/user', CLAUDE_CONFIG_DIR: '/c' })).toBe('/c/sessions/7.json')
})
