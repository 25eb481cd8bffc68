import { expect, test } from 'vitest'
import { RepeatedRefusals } from '../../src/server/repeated-refusals.ts'

test('the same refusal is told once a minute, with how often it came in between', () => {
  let now = 0
  const refusals = new RepeatedRefusals({ monotonic: () => now })
  expect(refusals.count('wrong token')).toBe(0)
  for (let again = 0; again < 5; again++) expect(refusals.count('wrong token')).toBeUndefined()
  expect(refusals.count('another')).toBe(0)
  now = 60_000
  expect(refusals.count('wrong token')).toBe(5)
  expect(refusals.count('wrong token')).toBeUndefined()
})
