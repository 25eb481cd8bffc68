import { expect, test } from 'vitest'
import { widthOf, wrapText } from '../../../../../src/agents/scripted/program/terminal/wrap-text.ts'

test.each([
  ['日本', 4],
  ['한', 2],
  ['\u1112\u1161\u11ab', 2],
  ['🫠', 2],
  ['🇨🇭', 2],
  ['e\u0301', 1],
  ['a\u200db', 2],
  ['─→✓…', 4],
])('%s is as wide as a terminal draws it', (text, width) => {
  expect(widthOf(text)).toBe(width)
})

test('a line is wrapped before the wide letter that would cross the edge, and marks stay with their letter', () => {
  expect(wrapText('ab日本', 5)).toEqual(['ab日', '本'])
  expect(wrapText('abe\u0301c', 3)).toEqual(['abe\u0301', 'c'])
})

test('no control character reaches the terminal', () => {
  expect(wrapText('a\tb\x1b[2J', 20)).toEqual(['a  b?[2J'])
})
