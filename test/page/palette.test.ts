import { expect, test } from 'vitest'
import { matching, meant } from '../../web/src/shell/palette/matching.ts'

const named = (...words: string[]) => words.map((word) => ({ id: word, words: word }))
const orders = named('Retry', 'Kill')
const others = named('Runtimes', 'Review the retry loop', ...'abcdefghij')
const wordsOf = (found: readonly { words: string }[]) => found.map(({ words }) => words)

test('what can be done here comes first, all of it; of the others nine while nothing is typed', () => {
  const found = matching(orders, others, ' ')
  expect(wordsOf(found).slice(0, 3)).toEqual(['Retry', 'Kill', 'Runtimes'])
  expect(found).toHaveLength(11)
})

test('every word must occur, in the words, the note or the id; what begins with the first comes first', () => {
  expect(wordsOf(matching(orders, others, 're'))).toEqual(['Retry', 'Review the retry loop'])
  expect(wordsOf(matching(orders, others, 'RETRY loop'))).toEqual(['Review the retry loop'])
  const task = { id: '20261118-00007', words: 'Tidy up', note: 'cleaner' }
  expect(matching([], [task], 'tidy clean 00007')).toEqual([task])
  expect(matching([], [task], 'tidy elsewhere')).toEqual([])
})

test('Enter means the first found, or the one that was chosen; nothing without a letter or an arrow', () => {
  const found = named('Resume', 'Archive')
  expect(meant(found, undefined, 're')).toBe(0)
  expect(meant(found, 'Archive', 're')).toBe(1)
  expect(meant(found, 'Archive', '')).toBe(1)
  expect(meant(found, undefined, ' ')).toBe(-1)
  expect(meant([], undefined, 'x')).toBe(-1)
})

test('an order that came to the place of the chosen one, because that is gone, is not meant', () => {
  const before = named('Finish', 'Kill')
  expect(meant(before, 'Finish', 'f')).toBe(0)
  expect(meant(before.slice(1), 'Finish', 'f')).toBe(-1)
})
