import { expect, test } from 'vitest'
import { eventsBetween, type JournalPlace, keptPlace } from '../../../src/domain/journal/place.ts'

const place = (at: Record<string, number>, generation = 'g'): JournalPlace =>
  ({ generation, at }) as JournalPlace
const kept = { start: place({ a: 10, b: 20 }), end: place({ a: 50, b: 60 }) }

test.each<[string, JournalPlace, Record<string, number>]>([
  ['behind the oldest of one node', place({ a: 5, b: 30 }), { a: 10, b: 30 }],
  ['of a node that is new to it', place({ a: 30 }), { a: 30, b: 20 }],
  ['of a node that is no more', place({ a: 30, b: 30, gone: 3 }), { a: 30, b: 30 }],
  ['beyond the end', place({ a: 51, b: 60 }), { a: 10, b: 60 }],
  ['of another journal', place({ a: 30, b: 30 }, 'other'), { a: 10, b: 20 }],
])('a reader %s goes on where events are kept', (_, from, at) => {
  expect(keptPlace(from, kept)).toEqual({ generation: 'g', at })
})

test('how many events lie between two places, if they are of one journal', () => {
  expect(eventsBetween(place({ a: 5 }), place({ a: 10, b: 20 }))).toBe(25)
  expect(eventsBetween(place({ a: 30 }), place({ a: 10 }))).toBe(0)
  expect(eventsBetween(place({ a: 5 }, 'other'), place({ a: 10 }))).toBeNull()
})
