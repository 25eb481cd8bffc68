import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { SETTING_KEYS, settings, settingText } from '../../src/domain/config.ts'
import { mergeConfig, type SettingsFile } from '../../src/domain/merge-config.ts'

const user = (content: unknown): SettingsFile => ({ file: 'user.yaml', kind: 'user', content })
const project = (content: unknown): SettingsFile => ({ file: 'project.yaml', kind: 'project', content })
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

test('nested and dotted keys are the same setting', () => {
  expect(mergeConfig([user({ kill: { grace: '3s' } })]).config).toEqual(
    mergeConfig([user({ 'kill.grace': '3s' })]).config,
  )
})

test('a project cannot widen, nor set what is the user’s own', () => {
  expect(() => mergeConfig([project({ 'create.maxDuration': '2h' })])).toThrow(
    refused(/may only be made smaller/),
  )
  expect(() => mergeConfig([project({ 'create.maxDuration': 'none' })])).toThrow(
    refused(/may only be made smaller/),
  )
  expect(() => mergeConfig([project({ maxConcurrent: 1 })])).toThrow(
    refused(/only be set in your own config/),
  )
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
  ['pane.close', 'yes'],
  ['env.pass', ['A B']],
  ['env.pass', 'PATH'],
  ['agent', ''],
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
