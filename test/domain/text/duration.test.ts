import { expect, test } from 'vitest'
import { durationText, parseDuration } from '../../../src/domain/text/duration.ts'

test.each([
  ['90s', 90_000],
  ['30m', 1_800_000],
  ['1h30m', 5_400_000],
  ['500ms', 500],
  ['2d', 172_800_000],
  ['15', 15_000],
  [' 2H ', 7_200_000],
  ['none', null],
])('%j is %j', (text, ms) => {
  expect(parseDuration(text)).toBe(ms)
})

test('a bare number counts what it is told to count; a unit goes before that', () => {
  expect([parseDuration('15', 'm'), parseDuration('15s', 'm'), parseDuration('none', 'm')]).toEqual([
    900_000,
    15_000,
    null,
  ])
})

test.each(['', 'soon', '3x', '-5m', '5m!', '1h 30m', 'm'])('%j is no duration', (text) => {
  expect(() => parseDuration(text)).toThrow(expect.objectContaining({ code: 'USAGE' }))
})

test.each([0, 1, 999, 1000, 90_000, 5_400_000, 3_600_000, 86_400_000, null])(
  '%j ms can be written and read back',
  (ms) => {
    expect(parseDuration(durationText(ms))).toBe(ms)
  },
)
