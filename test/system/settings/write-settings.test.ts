import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { SettingKey } from '../../../src/domain/settings/config.ts'
import { loadConfig } from '../../../src/system/settings/load-config.ts'
import { changeSetting } from '../../../src/system/settings/write-settings.ts'
import { tempDir } from '../../helpers/temp-dir.ts'

function userDir(text?: string) {
  const dir = join(tempDir(), 'holdfast')
  const file = join(dir, 'config.yaml')
  if (text !== undefined) {
    mkdirSync(dir, { mode: 0o700 })
    writeFileSync(file, text, { mode: 0o600 })
  }
  return { dir, file, text: () => readFileSync(file, 'utf8') }
}

test('a first setting makes the file, for its owner alone', async () => {
  const { dir, file, text } = userDir()
  expect(await changeSetting(dir, { key: 'maxConcurrent', text: '3' })).toBe(file)
  expect(text()).toBe('maxConcurrent: 3\n')
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect((await loadConfig(dir, undefined)).config.maxConcurrent).toBe(3)
})

test('comments and order stay, and a setting is changed where it stands', async () => {
  const before = '# mine\nkill:\n  grace: 5s # short\nmaxConcurrent: 2\n'
  const { dir, text } = userDir(before)
  await changeSetting(dir, { key: 'kill.grace', text: '7s' })
  expect(text()).toBe('# mine\nkill:\n  grace: 7s # short\nmaxConcurrent: 2\n')
  await changeSetting(dir, { key: 'maxConcurrent', text: undefined })
  expect(text()).toBe('# mine\nkill:\n  grace: 7s # short\n')
})

test('taking out the last setting leaves a file that holds', async () => {
  const { dir } = userDir('kill.grace: 5s\n')
  await changeSetting(dir, { key: 'kill.grace', text: undefined })
  expect((await loadConfig(dir, undefined)).config['kill.grace']).toBe(10_000)
  await changeSetting(dir, { key: 'maxConcurrent', text: '4' })
  expect((await loadConfig(dir, undefined)).config.maxConcurrent).toBe(4)
})

test.each<[SettingKey, string, unknown]>([
  ['agent', 'claude', 'claude'],
  ['create.maxDuration', 'none', null],
  ['create.maxDuration', '2h', 7_200_000],
  ['park.enabled', 'false', false],
  ['env.pass', '[A, B_*]', ['A', 'B_*']],
  ['tmux.path', '/opt/tmux 3/bin/tmux: #1', '/opt/tmux 3/bin/tmux: #1'],
])('%s can be set to %s', async (key, text, value) => {
  const { dir } = userDir()
  await changeSetting(dir, { key, text })
  expect((await loadConfig(dir, undefined)).config[key]).toEqual(value)
})

test('a value that does not hold is refused, and the file stays as it was', async () => {
  const { dir, text } = userDir('maxConcurrent: 2\n')
  await expect(changeSetting(dir, { key: 'maxConcurrent', text: 'many' })).rejects.toThrow(
    "'maxConcurrent' must be a whole number from 1 to 500.",
  )
  expect(text()).toBe('maxConcurrent: 2\n')
})

test('a file that is broken already is told of and left alone', async () => {
  const { dir, text } = userDir('maxConcurrent: [\n')
  await expect(changeSetting(dir, { key: 'agent', text: 'pi' })).rejects.toMatchObject({
    code: 'CONFIG_INVALID',
  })
  expect(text()).toBe('maxConcurrent: [\n')
  const none = userDir()
  await expect(changeSetting(none.dir, { key: 'maxConcurrent', text: '0' })).rejects.toThrow()
  expect(existsSync(none.file)).toBe(false)
})
