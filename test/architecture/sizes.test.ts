import { existsSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { expect, test } from 'vitest'
import { sourceFiles } from '../helpers/source-files.ts'
import { MOST_FILES_IN_A_FOLDER, MOST_LINES_IN_A_FILE, mayHoldMore } from './sizes.ts'

// Every file has an ending; folders have none.
const files = [...sourceFiles('src', ''), ...sourceFiles('web/src', '')].filter((name) => /\.\w+$/.test(name))
const isBound = (path: string) => mayHoldMore[path] === undefined

test(`no folder of src/ and web/src/ has more than ${MOST_FILES_IN_A_FOLDER} files of its own`, () => {
  const counts = new Map<string, number>()
  for (const file of files) counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1)
  const full = [...counts].filter(([folder, count]) => count > MOST_FILES_IN_A_FOLDER && isBound(folder))
  expect(full).toEqual([])
})

test(`no file of src/ and web/src/ has more than ${MOST_LINES_IN_A_FILE} lines`, () => {
  const lines = (file: string) => readFileSync(file, 'utf8').split('\n').length - 1
  const long = files.map((file) => [file, lines(file)] as const)
  expect(long.filter(([file, count]) => count > MOST_LINES_IN_A_FILE && isBound(file))).toEqual([])
})

test.each(Object.keys(mayHoldMore))('%s, which may hold more, exists', (path) => {
  expect(existsSync(path)).toBe(true)
})
