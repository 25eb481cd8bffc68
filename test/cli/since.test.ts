import { expect, test } from 'vitest'
import { sinceTime } from '../../src/cli/since.ts'

const NOW = Date.parse('2025-11-18T15:30:42Z')

test.each([
  ['2h', '2025-11-18T13:30:42.000Z'],
  ['1d12h', '2025-11-17T03:30:42.000Z'],
  ['2025-11-18T15:00:00Z', '2025-11-18T15:00:00.000Z'],
  ['2025-11-18T15:00+01:00', '2025-11-18T14:00:00.000Z'],
])('%s begins at %s', (text, iso) => {
  expect(sinceTime('--since', text, NOW)).toBe(iso)
})

test('without a zone it is the reader’s own', () => {
  expect(sinceTime('--since', '2025-11-18', NOW)).toBe(new Date(2025, 10, 18).toISOString())
  expect(sinceTime('--since', '2025-11-18 15:30', NOW)).toBe(new Date(2025, 10, 18, 15, 30).toISOString())
})

test.each(['yesterday', '2025-13-45', '2025-11-18T99:00', 'none', '', '-1h', '9e99', '999999999d'])(
  '%j is no time',
  (text) => {
    expect(() => sinceTime('--since', text, NOW)).toThrow(expect.objectContaining({ code: 'USAGE' }))
  },
)
