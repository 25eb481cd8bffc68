import { expect, test } from 'vitest'
import { dueInMs, pauseMs, quietForMs, quietUntil, triedForMs } from '../../../src/domain/notify/pace.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const at = (clock: string) => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3))

test.each([
  ['22:00-07:00', '21:59', 0],
  ['22:00-07:00', '22:00', 9 * HOUR_MS],
  ['22:00-07:00', '23:30', 7.5 * HOUR_MS],
  ['22:00-07:00', '23:59', 7 * HOUR_MS + MINUTE_MS],
  ['22:00-07:00', '00:00', 7 * HOUR_MS],
  ['22:00-07:00', '06:59', MINUTE_MS],
  ['22:00-07:00', '07:00', 0],
  ['22:00-07:00', '12:00', 0],
  ['22:00-00:00', '23:59', MINUTE_MS],
  ['22:00-00:00', '00:00', 0],
  ['13:00-14:30', '12:59', 0],
  ['13:00-14:30', '13:00', 1.5 * HOUR_MS],
  ['13:00-14:30', '14:29', MINUTE_MS],
  ['13:00-14:30', '14:30', 0],
])('in quiet hours %s, at %s, it stays quiet for %d ms', (hours, clock, ms) => {
  expect(quietForMs(hours, at(clock))).toBe(ms)
  expect(quietUntil(hours, at(clock))).toBe(ms === 0 ? null : hours.slice(6))
})

test('without quiet hours it is never quiet', () => {
  expect([quietForMs(null, at('23:30')), quietUntil(null, at('23:30'))]).toEqual([0, null])
})

test('pauses between tries double from five seconds to ten minutes', () => {
  expect([1, 2, 3, 7, 8, 1000].map((tries) => pauseMs(tries, null))).toEqual([
    5000, 10_000, 20_000, 320_000, 600_000, 600_000,
  ])
  expect([0, 1, 2, 3].map(triedForMs)).toEqual([0, 5000, 15_000, 35_000])
})

test('a receiver is left alone as long as it asks, for an hour at most, and never shorter than otherwise', () => {
  expect([1000, 60_000, 5 * HOUR_MS].map((asked) => pauseMs(1, asked))).toEqual([5000, 60_000, HOUR_MS])
})

test('the next try is due at its time; one that lies further ahead than any pause is due now', () => {
  const now = 1_000_000
  expect([now - 1, now, now + 5, now + HOUR_MS, now + HOUR_MS + 1].map((next) => dueInMs(next, now))).toEqual(
    [0, 0, 5, HOUR_MS, 0],
  )
})
