import { expect, test } from 'vitest'
import { Buckets } from '../../../src/server/web/buckets.ts'
import { TestClock } from '../../helpers/test-clock.ts'

test('a caller may ask a burst at once, then as fast as the bucket fills, and not at the cost of others', () => {
  const clock = new TestClock()
  const buckets = new Buckets({ burst: 3, perSecond: 0.5 }, clock)
  expect([1, 2, 3].map(() => buckets.take('a'))).toEqual([0, 0, 0])
  expect(buckets.take('a')).toBe(2)
  expect(buckets.take('b')).toBe(0)
  clock.advance(2000)
  expect([buckets.take('a'), buckets.take('a')]).toEqual([0, 2])
})
