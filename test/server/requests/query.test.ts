import { expect, test } from 'vitest'
import { timeIn } from '../../../src/server/requests/query.ts'

test.each([
  ['2025-11-18T15:30:42Z', Date.UTC(2025, 10, 18, 15, 30, 42)],
  ['2025-11-18T15:30:42.123Z', Date.UTC(2025, 10, 18, 15, 30, 42, 123)],
  ['2025-11-18T15:30+01:00', Date.UTC(2025, 10, 18, 14, 30)],
  ['2025-11-18', Date.UTC(2025, 10, 18)],
])('%s is a time', (text, at) => {
  expect(timeIn('since', text)).toBe(at)
})

test.each([
  '',
  '1',
  '2025',
  'yesterday',
  'Nov 18, 2025',
  '2025-13-01',
  '2025-11-18T25:00:00Z',
  '2025-11-18T15:30 01:00',
])('%j is refused, by the name of its field', (text) => {
  expect(() => timeIn('ended_since', text)).toThrow(
    expect.objectContaining({
      code: 'INVALID_REQUEST',
      message: `'ended_since' must be an ISO 8601 time such as 2025-11-18T15:30:00Z, not '${text}'.`,
    }),
  )
})
