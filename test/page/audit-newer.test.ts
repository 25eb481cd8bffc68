import { expect, test } from 'vitest'
import type { AuditEntryJson } from '../../src/protocol/json/daemon-json.ts'
import { newerThan } from '../../web/src/screens/audit/newer.ts'

const entries = (letters: string) => [...letters].map((detail) => ({ detail }) as AuditEntryJson)

test.each([
  { newest: 'abc', held: 'abcde', newer: 0 },
  { newest: 'xab', held: 'abcde', newer: 1 },
  { newest: 'aab', held: 'abcde', newer: 1 },
  { newest: 'aaa', held: 'aaaaa', newer: 0 },
  { newest: 'xyz', held: 'abcde', newer: 3 },
])('of $newest, with $held held, $newer are newer', ({ newest, held, newer }) => {
  expect(newerThan(entries(newest), entries(held))).toBe(newer)
})
