import { expect, test } from 'vitest'
import { newOnScreen } from '../../../src/supervisor/screens/new-on-screen.ts'

test('what is new is printed once, without the blank lines of the screen', () => {
  const first = newOnScreen(['', '> hi', '', '', 'hello', '', ''], 'session: abc\n')
  expect(first).toBe('screen:\n  > hi\n  hello\n')
  expect(newOnScreen(['', '> hi', '', 'hello', '', ''], first)).toBe('')
  const second = newOnScreen(['> hi', '', 'hello', '> more', '', 'of it'], first)
  expect(second).toBe('screen:\n  > more\n  of it\n')
})

test('what has scrolled on is not printed again, and the same words said again are', () => {
  const log = 'screen:\n  > one\n  1\n  > hi\n  hello\n'
  expect(newOnScreen(['1', '> hi', 'hello', '> hi', 'hello'], log)).toBe('screen:\n  > hi\n  hello\n')
})

test('secrets on the screen are not kept', () => {
  expect(newOnScreen(['token: abcdefgh12345678'], '')).toBe('screen:\n  token: [redacted]\n')
})
