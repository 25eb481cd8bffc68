import { expect, test } from 'vitest'
import { cells, oneLine, pad, shorten } from '../../../../src/cli/render/print/cells.ts'

test.each([
  ['letters', 'abc', 3],
  ['Chinese and Japanese', '日本', 4],
  ['rare ideographs', '𠀀', 2],
  ['Korean syllables', '한국', 4],
  ['a Korean syllable in three parts', '\u1112\u1161\u11ab', 2],
  ['full-width letters', 'ＡＢ', 4],
  ['half-width katakana', 'ｱｲ', 2],
  ['the ideographic space', '\u3000', 2],
  ['an emoji', '🚀', 2],
  ['an emoji of recent years', '🫠', 2],
  ['a flag', '🇨🇭', 2],
  ['a letter with an accent of its own', 'e\u0301', 1],
  ['a letter in a circle of its own', 'a\u20dd', 1],
  ['a vowel sign with a place of its own', 'का', 2],
  ['a joiner and a zero-width space', 'a\u200d\u200bb', 2],
  ['a sign with the wish to be an emoji', '❤\ufe0f', 1],
  ['lines, arrows and ticks', '─→✓…', 4],
])('%s take their cells', (_, text, width) => {
  expect(cells(text)).toBe(width)
})

test('joined emoji are shown one by one, so that every terminal agrees on their width', () => {
  expect(oneLine('👨\u200d👩\u200d👧')).toBe('👨👩👧')
  expect(cells(oneLine('👨\u200d👩\u200d👧'))).toBe(6)
})

test('what is cut ends in an ellipsis and fits', () => {
  expect(shorten('abcdef', 6)).toBe('abcdef')
  expect(shorten('abcdef', 4)).toBe('abc…')
  expect(shorten('日本語', 4)).toBe('日…')
  expect(shorten('abc', 1)).toBe('…')
  expect(shorten('abc', 0)).toBe('')
  expect(pad('日', 4)).toBe('日  ')
  expect(shorten('e\u0301e\u0301e\u0301', 2)).toBe('e\u0301…')
})

test('what others wrote stays on one line and cannot steer the terminal', () => {
  expect(oneLine('a\n\tb\x1b[2Jc\u202ed')).toBe('a b[2Jcd')
})
