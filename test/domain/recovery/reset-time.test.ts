import fc from 'fast-check'
import { expect, test } from 'vitest'
import { resetTime } from '../../../src/domain/recovery/reset-time.ts'

/** A Sunday noon, UTC. In Berlin it is 13:00, in New York 7:00. */
const NOW = Date.UTC(2026, 10, 15, 12)
const utc = (day: number, hour: number, minute = 0) => Date.UTC(2026, 10, day, hour, minute)
const MINUTE = 60_000

test.each([
  // Codex: of today, or with a date.
  ['try again at 7:41 PM.', utc(15, 19, 42)],
  ['try again at Nov 19th, 2026 9:14 AM.', utc(19, 9, 15)],
  // Claude Code, in the zone it names.
  ['resets 3pm (Europe/Berlin)', utc(15, 14, 1)],
  ['resets 1:28am (UTC)', utc(16, 1, 29)],
  ['resets 12am (America/New_York)', utc(16, 5, 1)],
  ['resets 12pm (America/New_York)', utc(15, 17, 1)],
  ['resets Nov 20, 3pm (Europe/Berlin)', utc(20, 14, 1)],
  ['resets Jan 2 at 9am (UTC)', Date.UTC(2027, 0, 2, 9, 1)],
  ['13:30', utc(15, 13, 31)],
  // Waits.
  ['in 2h 5m', NOW + 125 * MINUTE],
  ['Try again in ~60 min.', NOW + 60 * MINUTE],
  ['in 3 days 4 hours 1 minute', NOW + (76 * 60 + 1) * MINUTE],
  ['12s', NOW + 12_000],
  // A limit may be named after how long it counts: that is no wait.
  ['5h limit reached. Resets 3pm', utc(15, 15, 1)],
  ['5h limit reached ∙ resets 1:28am (UTC)', utc(16, 1, 29)],
  ['5h limit reached. Try again in 2h 5m.', NOW + 125 * MINUTE],
  ['7d limit reached. Try again in about 1 day, 2 hours and 3 minutes', NOW + (26 * 60 + 3) * MINUTE],
  ['11:58:03 429: wait 30s', NOW + 30_000],
  ['429: retry-after 30s', NOW + 30_000],
  // Instants.
  ['It resets at 2026-11-15T12:00:30.500Z.', NOW + 30_500],
  ['2026-11-15T14:00+01:00', utc(15, 13)],
  ['limit reached|1794771793', 1_794_771_793_000],
  ['1794771793123', 1_794_771_793_123],
])('%j', (words, expected) => expect(resetTime(words, NOW, 'UTC')).toBe(expected))

test.each([
  '',
  'later',
  'in a while',
  '25:00',
  '13pm',
  '0am',
  '7:61 PM',
  'resets 3pm (Nowhere/Land)',
  'call 555',
])('%j names no time', (words) => expect(resetTime(words, NOW, 'UTC')).toBeNull())

test('a time of day is the agent’s own, wherever that is', () => {
  expect(resetTime('9:41 PM', NOW, 'Asia/Tokyo')).toBe(utc(15, 12, 42))
  expect(resetTime('7:41 PM', NOW, 'America/Los_Angeles')).toBe(utc(16, 3, 42))
  const here = new Date(2026, 10, 15, 19, 41).getTime()
  expect(resetTime('7:41 PM', here - 5 * 60 * MINUTE)).toBe(here + MINUTE)
})

test('in its last minute it is not tomorrow’s; read hours late it is over', () => {
  expect(resetTime('12:00 PM', NOW + 30_000, 'UTC')).toBe(NOW + MINUTE)
  expect(resetTime('9am', NOW, 'UTC')).toBe(utc(15, 9, 1))
  expect(resetTime('11pm', utc(16, 2), 'UTC')).toBe(utc(15, 23, 1))
  expect(resetTime('5am', NOW, 'UTC')).toBe(utc(16, 5, 1))
})

test('when the clocks change, a time of day is still that time of day', () => {
  const eve = Date.UTC(2026, 2, 28, 20)
  expect(resetTime('5am (Europe/Berlin)', eve)).toBe(Date.UTC(2026, 2, 29, 3, 1))
  expect(resetTime('1am (Europe/Berlin)', eve)).toBe(Date.UTC(2026, 2, 29, 0, 1))
})

test('no words make it throw, and what it gives is a time', () => {
  const words = fc.stringMatching(/^[0-9a-zA-Z:., ()/+~-]{0,40}$/)
  fc.assert(
    fc.property(fc.oneof(words, fc.string({ unit: 'binary' })), (text) => {
      const found = resetTime(text, NOW)
      expect(found === null || Number.isSafeInteger(found)).toBe(true)
    }),
  )
  expect(resetTime('1:'.repeat(1_000_000), NOW)).toBeNull()
})
