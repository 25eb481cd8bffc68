import { expect, test } from 'vitest'
import { isDueForRenewal, isInTime } from '../../../src/domain/run/token-claims.ts'
import { NOON } from '../../builders/ids.ts'

const MINUTE = 60_000
const LIFETIME = 15 * MINUTE
const token = { issued: NOON, expires: NOON + LIFETIME }

test.each([
  ['when it is issued', 0, true],
  ['in its last millisecond', LIFETIME - 1, true],
  ['when its time is over', LIFETIME, false],
  ['when the clock was set back by a moment', -MINUTE, true],
  ['when the clock was set back by more', -MINUTE - 1, false],
])('a token counts %s: %i ms → %s', (_, after, counts) => {
  expect(isInTime(token, NOON + after)).toBe(counts)
})

test.each([
  ['never issued', null, true],
  ['just issued', NOON + LIFETIME, false],
  ['half of its time over', NOON + LIFETIME / 2, true],
  ['expired', NOON - 1, true],
  ['valid for too long, because the clock was set back', NOON + LIFETIME + 1, true],
])('a token is renewed that is %s: %s → %s', (_, expires, isDue) => {
  expect(isDueForRenewal(expires, LIFETIME, NOON)).toBe(isDue)
})
