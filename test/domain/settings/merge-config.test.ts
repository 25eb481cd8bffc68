import { expect, test } from 'vitest'
import { parse } from 'yaml'
import type { Approval } from '../../../src/domain/settings/approval.ts'
import { SETTING_KEYS, type SettingKey, settings, settingText } from '../../../src/domain/settings/config.ts'
import {
  mergeConfig,
  type SettingsFile,
  waitingAgents,
  waitingNotes,
  wideningLines,
} from '../../../src/domain/settings/merge-config.ts'

const user = (content: unknown): SettingsFile => ({ file: 'user.yaml', approval: 'own', content })
const project = (content: unknown, approval: Approval = 'new'): SettingsFile => ({
  file: 'project.yaml',
  approval,
  content,
})
const refused = (message: RegExp) =>
  expect.objectContaining({ code: 'CONFIG_INVALID', message: expect.stringMatching(message) })

test('without files every setting has its default, and says so', () => {
  const { config, sources } = mergeConfig([])
  expect(config.maxConcurrent).toBe(5)
  expect(sources.map(({ key }) => key)).toEqual(SETTING_KEYS)
  expect(new Set(sources.map(({ source }) => source))).toEqual(new Set(['default']))
})

test('the project narrows the user, the user overrides the default, and each value knows its file', () => {
  const { config, sources } = mergeConfig([
    user({ agent: 'scripted', create: { maxDuration: '20m' } }),
    project({ 'create.maxDuration': '5m' }),
  ])
  expect(config['create.maxDuration']).toBe(300_000)
  expect(sources.find(({ key }) => key === 'create.maxDuration')).toMatchObject({ source: 'project.yaml' })
  expect(sources.find(({ key }) => key === 'agent')).toMatchObject({ value: 'scripted', source: 'user.yaml' })
})

test('a preset stands for what nobody set, and says so', () => {
  const files = [user({ recovery: { preset: 'patient' }, backoff: { base: '7s' } })]
  const { config } = mergeConfig(files)
  expect(config).toMatchObject({ 'backoff.base': 7000, 'backoff.cap': 5 * 3_600_000, 'crashLoop.deaths': 7 })
  expect(sourceOf(files, 'backoff.base')).toBe('user.yaml')
  expect(sourceOf(files, 'backoff.cap')).toBe('preset patient')
  expect(sourceOf(files, 'retries')).toBe('default')
})

test('nested and dotted keys are the same setting', () => {
  expect(mergeConfig([user({ kill: { grace: '3s' } })]).config).toEqual(
    mergeConfig([user({ 'kill.grace': '3s' })]).config,
  )
})

const mine = {
  'create.maxDuration': '30m',
  'run.maxDuration': '1h',
  'kill.grace': '10s',
  'prompt.maxBytes': 1000,
  'trigger.maxBytes': 1000,
  'env.pass': ['TEAM_*', 'TOKEN'],
  retries: 3,
  deadline: '1h',
  maxCost: 5,
  maxTokens: 1000,
  'recursion.depth': 1,
}
const narrower: [key: SettingKey, value: unknown][] = [
  ['agent', 'pi'],
  ['notify.events', ['failure']],
  ['pane.close', false],
  ['verify', [{ file: 'a' }]],
  ['agents', {}],
  ['create.maxDuration', '5m'],
  ['run.maxDuration', '1h'],
  ['kill.grace', '0'],
  ['prompt.maxBytes', 999],
  ['trigger.maxBytes', 999],
  ['env.pass', []],
  ['env.pass', ['TEAM_A', 'TEAM_B_*', 'TOKEN']],
  ['recovery.preset', 'patient'],
  ['retries', 0],
  ['backoff.base', '1m'],
  ['backoff.cap', '1h'],
  ['deadline', '59m'],
  ['crashLoop.deaths', 9],
  ['crashLoop.window', '1h'],
  ['runtime.grace', '1m'],
  ['runtime.maxRestarts', 9],
  ['runtime.startTimeout', '2m'],
  ['maxCost', 0.5],
  ['maxTokens', 999],
  ['stuck.after', '1h'],
  ['stuck.quiet', '2h'],
  ['recursion.depth', 0],
  ['answers', []],
]
const wider: [key: SettingKey, value: unknown][] = [
  ['create.maxDuration', '31m'],
  ['run.maxDuration', 'none'],
  ['kill.grace', '11s'],
  ['prompt.maxBytes', 1001],
  ['trigger.maxBytes', 1001],
  ['env.pass', ['TOKEN', 'AWS_SECRET']],
  ['env.pass', ['TE*']],
  ['env.pass', ['TOKEN*']],
  ['retries', 4],
  ['deadline', 'none'],
  ['maxCost', 5.01],
  ['maxTokens', 'none'],
  ['recursion.depth', 2],
  ['answers', [{ match: 'Proceed\\?', answer: 'yes' }]],
]
const daemonWide: [key: SettingKey, value: unknown][] = [
  ['token.lifetime', '30m'],
  ['notify.channels', { bell: { type: 'bell' } }],
  ['notify.rules', []],
  ['notify.quietHours', '22:00-07:00'],
  ['notify.group', '1s'],
  ['notify.giveUpAfter', '1h'],
  ['notify.answerWithin', '1h'],
  ['notify.publicUrl', 'https://holdfast.example.org'],
  ['bridge.mcp', false],
  ['maxConcurrent', 1],
  ['result.maxBytes', 1],
  ['store.url', 'postgres://x'],
  ['otel.endpoint', 'http://127.0.0.1:4318'],
  ['reconcile.interval', '1s'],
  ['quiet.window', '1s'],
  ['trigger.deferRecheck', '1s'],
  ['trigger.deferMax', '10s'],
  ['trigger.ackTimeout', '1s'],
  ['runtime.staleAfter', '1h'],
  ['retention.messages', '1h'],
  ['wake.quiet', '1s'],
  ['trigger.ackRetries', 1],
  ['trigger.ackBackoff', '1s'],
  ['trigger.resumeAttempts', 1],
  ['launch.grace', '1s'],
  ['tmux.path', '/x'],
  ['server.port', 4949],
  ['server.host', '::1'],
  ['server.allowRemote', true],
  ['server.hosts', ['box.lan']],
  ['server.origins', ['http://localhost:5173']],
  ['tmux.rest', '1s'],
  ['breaker.failures', 1],
  ['park.enabled', false],
  ['park.quietHours', '22:00-07:00'],
  ['wake.stagger', '1s'],
  ['thread.maxTurns', 5],
  ['thread.maxIdenticalFindings', 2],
  ['trigger.ratePerThread', 1],
  ['trigger.ratePerAgent', 1],
  ['orchestrator.role', 'chief'],
  ['disk.warn', '1MB'],
  ['disk.limit', '1MB'],
  ['disk.totalWarn', '1MB'],
  ['archive.after', '1h'],
  ['retention.runs', '1d'],
  ['retention.events', '1d'],
  ['retention.audit', '1d'],
]
const sourceOf = (files: SettingsFile[], key: SettingKey) =>
  mergeConfig(files).sources.find((entry) => entry.key === key)?.source

test.each(narrower)('a project that nobody approved may narrow %s to %j', (key, value) => {
  const merged = mergeConfig([user(mine), project({ [key]: value })])
  expect(sourceOf([user(mine), project({ [key]: value })], key)).toBe('project.yaml')
  expect(merged.widenings).toEqual([])
})

test.each(wider)('%s: %j counts only from a project that a person approved', (key, value) => {
  const files = (approval: Approval) => [user(mine), project({ [key]: value }, approval)]
  const error = {
    code: 'NOT_TRUSTED',
    message: expect.stringMatching(`^project.yaml: '${key}' (allows more|would answer)`),
  }
  expect(() => mergeConfig(files('new'))).toThrow(expect.objectContaining(error))
  expect(() => mergeConfig(files('changed'))).toThrow(/the file is changed since it was approved/)
  expect(sourceOf(files('approved'), key)).toBe('project.yaml')
  expect(mergeConfig(files('approved')).widenings.flatMap(wideningLines)).toHaveLength(1)
})

test.each(daemonWide)('%s serves all projects, so that none may set it, approved or not', (key, value) => {
  for (const approval of ['new', 'approved'] as const)
    expect(() => mergeConfig([project({ [key]: value }, approval)])).toThrow(
      refused(/only be set in your own config/),
    )
})

test('every setting has its direction tested', () => {
  const tested = [...narrower, ...wider, ...daemonWide].map(([key]) => key)
  expect(new Set(tested)).toEqual(new Set(SETTING_KEYS))
})

const agents = (...names: string[]) => ({
  agents: Object.fromEntries(names.map((name) => [name, { argv: [`${name}-from-project`] }])),
})

test.each(['new', 'changed'] as const)(
  'agents of a %s project file wait, and the rest counts',
  (approval) => {
    const content = { ...agents('mender', 'both'), agent: 'mender', 'create.maxDuration': '5m' }
    const own = user({ agents: { both: { argv: ['mine'] } } })
    const merged = mergeConfig([own, project(content, approval)])
    expect(Object.keys(merged.config.agents)).toEqual(['both'])
    expect(merged.config.agents.both!.argv).toEqual(['mine'])
    expect(merged.config['create.maxDuration']).toBe(300_000)
    expect(waitingAgents(merged)).toMatchObject({ file: 'project.yaml', kinds: ['mender', 'both'] })
    expect(waitingNotes(merged)[0]).toMatch(/^project.yaml is .*approved: its agents \(mender, both\)/)
  },
)

test('agents of an approved project come on top of the user’s, and both files are named', () => {
  const files = [user({ agents: { both: { argv: ['mine'] }, own: { argv: ['mine'] } } })]
  files.push(project(agents('mender', 'both'), 'approved'))
  const { config, widenings } = mergeConfig(files)
  expect(Object.keys(config.agents).sort()).toEqual(['both', 'mender', 'own'])
  expect(config.agents.both!.argv).toEqual(['both-from-project'])
  expect(sourceOf(files, 'agents')).toBe('user.yaml, project.yaml')
  expect(waitingAgents({ widenings })).toBeUndefined()
  expect(widenings.flatMap(wideningLines)).toContain('agents.mender.argv: mender-from-project')
})

test('an unknown key is refused with the nearest known one', () => {
  expect(() => mergeConfig([user({ maxConcurent: 3 })])).toThrow(
    refused(/unknown key 'maxConcurent'\. Did you mean 'maxConcurrent'\?/),
  )
  expect(() => mergeConfig([user({ kill: { grce: 3 } })])).toThrow(refused(/unknown key 'kill\.grce'/))
})

test.each([
  ['maxConcurrent', 0],
  ['maxConcurrent', '5'],
  ['maxConcurrent', 1.5],
  ['kill.grace', 'soon'],
  ['kill.grace', [5]],
  ['kill.grace', null],
  ['pane.close', 'yes'],
  ['env.pass', ['A B']],
  ['env.pass', 'PATH'],
  ['agent', ''],
  ['maxCost', -1],
  ['maxTokens', 'lots'],
  ['park.quietHours', '22-7'],
  ['recovery.preset', 'constructor'],
  ['server.origins', 'http://localhost:5173'],
  ['server.origins', ['*']],
  ['server.origins', ['null']],
  ['server.origins', ['localhost:5173']],
  ['server.origins', ['http://*.example.org']],
  ['server.origins', ['http://localhost:5173/']],
  ['server.origins', ['http://Localhost:5173']],
  ['server.origins', ['http://localhost:80']],
  ['server.origins', ['http://localhost:99999']],
  ['server.origins', ['http://me@localhost:5173']],
  ['server.origins', ['file:///home/me']],
])('%s: %j is refused with file and key', (key, value) => {
  expect(() => mergeConfig([user({ [key]: value })])).toThrow(
    refused(new RegExp(`^user.yaml: '${key}' must be`)),
  )
})

test.each([
  ['a list', []],
  ['a text', 'x'],
  ['a number', 3],
])('%s instead of a map is refused', (_, content) => {
  expect(() => mergeConfig([user(content)])).toThrow(refused(/must be a map/))
})

test.each([
  ['a key', { 'x\u001b]0;owned\u0007': 1 }],
  ['the name of an agent', { agents: { 'x\u001b[2J': {} } }],
  ['a field of an agent', { agents: { mine: { argv: ['a'], 'x\u001b[2J': 1 } } }],
  ['a field of an answer rule', { answers: [{ 'x\u009b2J': 1 }] }],
  ['a pattern that is none', { answers: [{ match: '(\u001b[2J', answer: 'y' }] }],
])('control characters in %s do not get into the error', (_where, content) => {
  const refusal = () => mergeConfig([project(content)])
  expect(refusal).toThrow(refused(/^[^\p{Cc}]+$/u))
})

test('__proto__ and friends are unknown keys like any other', () => {
  expect(() => mergeConfig([user(JSON.parse('{"__proto__": {"maxConcurrent": 3}}'))])).toThrow(
    refused(/unknown key/),
  )
  expect(() => mergeConfig([user({ constructor: 1 })])).toThrow(refused(/unknown key/))
})

test('every default can be written in a file, unless it stands for absence', () => {
  for (const key of SETTING_KEYS) {
    const { fallback, read } = settings[key]
    const text = settingText(key, fallback)
    if (text !== 'not set') expect(read(parse(text))).toEqual(fallback)
  }
})
