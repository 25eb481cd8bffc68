import { expect, test } from 'vitest'
import { elapsed, localMinute, localSecond } from '../../../../src/cli/render/print/time.ts'

test.each([
  [0, '0s'],
  [-5, '0s'],
  [59.9, '59s'],
  [332, '5m 32s'],
  [128, '2m 8s'],
  [3600, '1h 0m'],
  [90_061, '1d 1h'],
])('%d seconds read as %s', (seconds, text) => {
  expect(elapsed(seconds)).toBe(text)
})

test('dates are shown in the zone of the reader', () => {
  const at = new Date(2025, 10, 18, 15, 30, 42).toISOString()
  expect(localMinute(at)).toBe('2025-11-18 15:30')
  expect(localSecond(at)).toBe('2025-11-18 15:30:42')
  expect(localMinute(null)).toBe('-')
  expect(localSecond('nonsense')).toBe('?')
})
