import { expect, test } from 'vitest'
import { type ParentState, parentWake } from '../../../src/domain/task/parent-wake.ts'

const NOW = 1_000_000
const quiet = { quietMs: 2000, now: NOW }
const ended = (agoMs: number) => ({ what: 'completed' as const, at: NOW - agoMs })
const asked = (agoMs: number) => ({ what: 'question_asked' as const, at: NOW - agoMs })

test('the quiet time counts from the first news', () => {
  expect(parentWake([ended(1500), ended(0)], 'hears', quiet)).toEqual({ kind: 'at', at: NOW + 500 })
  expect(parentWake([ended(2000), ended(0)], 'hears', quiet)).toEqual({ kind: 'now' })
})

test('a clock that was set back makes nobody wait for longer than the quiet time', () => {
  expect(parentWake([ended(-3_600_000)], 'hears', quiet)).toEqual({ kind: 'at', at: NOW + 2000 })
})

test('one that waits for its children goes on when all have ended, or one needs somebody', () => {
  const old = 9000
  expect(parentWake([ended(old)], 'waits_for_more', quiet)).toEqual({ kind: 'later' })
  expect(parentWake([ended(old), asked(old)], 'waits_for_more', quiet)).toEqual({ kind: 'now' })
  expect(parentWake([ended(old)], 'waits', quiet)).toEqual({ kind: 'now' })
})

test.each<ParentState>(['cannot_be_told', 'is_being_told'])('%s: later', (parent) => {
  expect(parentWake([asked(9000)], parent, quiet)).toEqual({ kind: 'later' })
})

test('without news there is nothing to tell', () => {
  expect(parentWake([], 'waits', quiet)).toEqual({ kind: 'later' })
})
