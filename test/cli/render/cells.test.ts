import { expect, test } from 'vitest'
import { cells, oneLine, pad, shorten } from '../../../src/cli/render/cells.ts'

test('wide characters take two cells, combining marks none', () => {
  expect(cells('abc')).toBe(3)
  expect(cells('日本')).toBe(4)
  expect(cells('🚀')).toBe(2)
  expect(cells('e\u0301')).toBe(1)
})

test('what is cut ends in an ellipsis and fits', () => {
  expect(shorten('abcdef', 6)).toBe('abcdef')
  expect(shorten('abcdef', 4)).toBe('abc…')
  expect(shorten('日本語', 4)).toBe('日…')
  expect(shorten('abc', 1)).toBe('…')
  expect(shorten('abc', 0)).toBe('')
  expect(pad('日', 4)).toBe('日  ')
})

test('what others wrote stays on one line and cannot steer the terminal', () => {
  expect(oneLine('a\n\tb\x1b[2Jc\u202ed')).toBe('a b[2Jcd')
})
