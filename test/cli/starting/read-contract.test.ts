import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readContract } from '../../../src/cli/starting/read-contract.ts'
import { tempDir } from '../../helpers/temp-dir.ts'

const readIn = (dir: string, ...given: string[]) =>
  readContract(given, { path: (file = '.') => join(dir, file) })
const read = (...given: string[]) => readIn('/nowhere', ...given)

test('nothing said is the config’s contract, and none is none', async () => {
  expect(await read()).toBeUndefined()
  expect(await read('none')).toBeNull()
  await expect(read('none', 'file:a')).rejects.toMatchObject({ code: 'USAGE' })
})

test('short forms and files come together in their order', async () => {
  const dir = tempDir()
  writeFileSync(join(dir, 'c.yaml'), 'checks:\n  - status: s.md\n    is: done\n')
  writeFileSync(join(dir, 'c.json'), '[{"file": "b"}]')
  expect(await readIn(dir, 'file:dist/index.js', 'c.yaml', 'cmd:npm test', 'c.json')).toEqual([
    { file: 'dist/index.js' },
    { status: 's.md', is: 'done' },
    { command: 'npm test' },
    { file: 'b' },
  ])
})

test.each([
  ['file:../x', "check 1 'file' must be a relative path"],
  ['cmd:a | b', 'no shell runs it'],
  ['cmd:', 'it names no program'],
  ['missing.yaml', 'a contract is a .yaml or .json file, file:PATH or cmd:COMMAND'],
])('%s is refused with its reason', async (given, words) => {
  await expect(read(given)).rejects.toMatchObject({
    code: 'VERIFY_INVALID',
    message: expect.stringContaining(words),
  })
})

test('a broken file is told by its name', async () => {
  const dir = tempDir()
  writeFileSync(join(dir, 'broken.yaml'), 'checks: [')
  writeFileSync(join(dir, 'typo.yaml'), '- files: a')
  await expect(readIn(dir, 'broken.yaml')).rejects.toThrow('--verify broken.yaml: ')
  await expect(readIn(dir, 'typo.yaml')).rejects.toThrow('typo.yaml: check 1 needs exactly one of')
})
