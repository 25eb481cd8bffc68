// What a session wrote, as the page of its log shows it.
import { expect, test } from 'vitest'
import { LogTail } from '../../../src/cli/top/feed/log-tail.ts'
import { wrapCache } from '../../../src/cli/top/layout/page-layout.ts'

function aTailOf(count: number): LogTail {
  const tail = new LogTail()
  for (let n = 1; n <= count; n++) tail.add(`line ${n}\n`)
  return tail
}

test('a line that comes when the page has as many as it keeps is shown, and the first one goes', () => {
  const tail = aTailOf(5_001)
  const wrap = wrapCache()
  expect(wrap(tail.lines(), 80).at(-1)).toBe('line 5001')
  tail.add('line 5002\n')
  const shown = wrap(tail.lines(), 80)
  expect(shown.at(-1)).toBe('line 5002')
  expect(shown[0]).toBe('line 3')
  expect(shown).toHaveLength(5_000)
})

test('what has not changed is not wrapped again, also when its last line is not complete', () => {
  const tail = aTailOf(3)
  tail.add('not yet')
  const wrap = wrapCache()
  expect(wrap(tail.lines(), 80)).toBe(wrap(tail.lines(), 80))
  expect(wrap(tail.lines(), 4)).toEqual(['line', '1', 'line', '2', 'line', '3', 'not', 'yet'])
})
