import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readSecret } from '../../../src/system/settings/read-secret.ts'
import { tempDir } from '../../helpers/temp-dir.ts'

test('a secret is read from a variable, or from a file of the user’s alone, without blanks around it', () => {
  const HOME = tempDir()
  writeFileSync(join(HOME, 'key'), '  s3cret\n', { mode: 0o600 })
  expect(readSecret({ env: 'KEY' }, { KEY: 's3cret' })).toBe('s3cret')
  expect(readSecret({ file: '~/key' }, { HOME })).toBe('s3cret')
  expect(readSecret({ file: join(HOME, 'key') }, {})).toBe('s3cret')
})

test('a secret that is missing, empty, no file, or open to others is not used', () => {
  const dir = tempDir()
  const file = join(dir, 'key')
  const read =
    (path = file) =>
    () =>
      readSecret({ file: path }, {})
  expect(read()).toThrow('cannot be read (ENOENT)')
  writeFileSync(file, ' \n', { mode: 0o600 })
  expect(read()).toThrow('is empty')
  writeFileSync(file, 's3cret')
  chmodSync(file, 0o640)
  expect(read()).toThrow('others can read')
  mkdirSync(join(dir, 'd'))
  expect(read(join(dir, 'd'))).toThrow('is not a small file')
  expect(() => readSecret({ env: 'KEY' }, {})).toThrow('the daemon has no variable KEY')
})
