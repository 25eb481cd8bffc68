import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { replaceFile } from '../../../src/system/disk/replace-file.ts'
import { tempDir } from '../../helpers/temp-dir.ts'

const modeOf = (path: string) => statSync(path).mode & 0o777

test('a file is replaced, with the mode asked for, and nothing else is left', async () => {
  const dir = tempDir()
  await replaceFile(`${dir}/file`, 'one', { mode: 0o644 })
  expect(modeOf(`${dir}/file`)).toBe(0o644)
  await replaceFile(`${dir}/file`, Buffer.from('two'), { durable: true })
  expect(readFileSync(`${dir}/file`, 'utf8')).toBe('two')
  expect(modeOf(`${dir}/file`)).toBe(0o600)
  expect(readdirSync(dir)).toEqual(['file'])
})

test.each([false, true])('of many at once, each is whole, and one is last (shared: %s)', async (isShared) => {
  const dir = tempDir()
  const texts = Array.from({ length: 20 }, (_, index) => String(index).repeat(10_000))
  await Promise.all(texts.map((text) => replaceFile(`${dir}/file`, text, { isShared })))
  expect(texts).toContain(readFileSync(`${dir}/file`, 'utf8'))
  expect(readdirSync(dir)).toEqual(['file'])
})

test.each([false, true])(
  'a failure leaves the old file and no temporary one (shared: %s)',
  async (isShared) => {
    const dir = tempDir()
    mkdirSync(`${dir}/file/full`, { recursive: true })
    await expect(replaceFile(`${dir}/file`, 'text', { isShared })).rejects.toThrow()
    expect(readdirSync(dir)).toEqual(['file'])
  },
)

test('a directory that is missing is made, for its owner alone', async () => {
  const dir = tempDir()
  await replaceFile(`${dir}/new/deep/file`, 'text')
  expect(readFileSync(`${dir}/new/deep/file`, 'utf8')).toBe('text')
  expect(modeOf(`${dir}/new/deep`)).toBe(0o700)
})

test('what a crash left under the temporary name is overwritten', async () => {
  const dir = tempDir()
  writeFileSync(`${dir}/.file.tmp`, 'half of something that was longer')
  await replaceFile(`${dir}/file`, 'text')
  expect(readFileSync(`${dir}/file`, 'utf8')).toBe('text')
  expect(readdirSync(dir)).toEqual(['file'])
})

test('a full disk is told as one, and leaves the old file and no temporary one', async () => {
  const dir = tempDir()
  await replaceFile(`${dir}/file`, 'old')
  symlinkSync('/dev/full', `${dir}/.file.tmp`)
  await expect(replaceFile(`${dir}/file`, 'new')).rejects.toMatchObject({ code: 'DISK_FULL' })
  expect(readFileSync(`${dir}/file`, 'utf8')).toBe('old')
  expect(readdirSync(dir)).toEqual(['file'])
})
