import { expect, test } from 'vitest'
import { firstLine } from '../../../src/domain/text/first-line.ts'
import { wholeLines } from '../../../src/domain/text/whole-lines.ts'

test.each([
  ['', [], ''],
  ['begun', [], 'begun'],
  ['one\n', ['one'], ''],
  ['one\n\ntwo\nbegun', ['one', '', 'two'], 'begun'],
])('%j: lines that have ended, and the beginning of the next one', (text, lines, rest) => {
  expect(wholeLines(text)).toEqual({ lines, rest })
})

test.each([
  ['', ''],
  ['only', 'only'],
  ['one\ntwo', 'one'],
  ['\ntwo', ''],
])('the first line of %j', (text, first) => {
  expect(firstLine(text)).toBe(first)
})
