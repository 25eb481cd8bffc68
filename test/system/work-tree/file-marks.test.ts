import { chmodSync, rmSync, symlinkSync, truncateSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { fileMarks, isAsMarked } from '../../../src/system/work-tree/file-marks.ts'
import { tempDir } from '../../helpers/temp-dir.ts'

async function marked(make: (path: string) => void) {
  const path = join(tempDir(), 'file')
  make(path)
  const mark = (await fileMarks(Date.now())(path))!
  return { path, isAsMarked: () => isAsMarked(path, mark) }
}

test('a file is known again by its content, not by its times', async () => {
  const { path, isAsMarked } = await marked((file) => writeFileSync(file, 'one'))
  utimesSync(path, 1, 1)
  expect(await isAsMarked()).toBe(true)
  writeFileSync(path, 'two')
  expect(await isAsMarked()).toBe(false)
  writeFileSync(path, 'one')
  expect(await isAsMarked()).toBe(true)
  chmodSync(path, 0o700)
  expect(await isAsMarked()).toBe(false)
})

test('a large file is known by its size and time', async () => {
  const { path, isAsMarked } = await marked((file) => {
    writeFileSync(file, '')
    truncateSync(file, 5 * 1024 * 1024)
    utimesSync(file, 1, 1)
  })
  expect(await isAsMarked()).toBe(true)
  utimesSync(path, 2, 2)
  expect(await isAsMarked()).toBe(false)
})

test('a link is known by where it leads to, and a file that is not there by that', async () => {
  const link = await marked((path) => symlinkSync('/etc/passwd', path))
  expect(await link.isAsMarked()).toBe(true)
  rmSync(link.path)
  expect(await link.isAsMarked()).toBe(false)
  const none = await marked(() => {})
  expect(await none.isAsMarked()).toBe(true)
  writeFileSync(none.path, '')
  expect(await none.isAsMarked()).toBe(false)
})

test('what changed after the beginning gets no mark', async () => {
  const path = join(tempDir(), 'file')
  writeFileSync(path, 'by the agent')
  expect(await fileMarks(Date.now() - 60_000)(path)).toBeUndefined()
})
