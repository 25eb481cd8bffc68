import { expect, test } from 'vitest'
import { keptByPerson } from '../../../src/delivery/lines/person-first.ts'
import { asTriggerId } from '../../../src/domain/names/ids.ts'

const QUIET_MS = 20_000
const NOW = 1_700_000_000_000
const trigger = { triggerId: asTriggerId('trg_20261117_0001'), forcedBy: null }
const screen = (keyAgeMs: number | null, draft: string | null) => ({ view: { keyAgeMs }, reading: { draft } })
const kept = (of: Parameters<typeof keptByPerson>[0], keyAgeMs: number | null, draft: string | null) =>
  keptByPerson(of, screen(keyAgeMs, draft), QUIET_MS, NOW)

test('what hears by lines waits for a person who types, and for their unsent text', () => {
  expect(kept(trigger, 5000, null)).toEqual({
    kind: 'person_types',
    lastKeyAt: NOW - 5000,
    until: NOW + 15_000,
  })
  expect(kept(trigger, QUIET_MS, 'half a thought')).toEqual({ kind: 'draft', text: 'half a thought' })
  expect(kept(trigger, QUIET_MS, null)).toBeUndefined()
  expect(kept(trigger, null, null)).toBeUndefined()
})

test('forced, it does not wait: its channel leaves the text alone; nor does a continuation', () => {
  expect(kept({ ...trigger, forcedBy: 'ann' }, 0, 'half a thought')).toBeUndefined()
  expect(kept({ triggerId: null, forcedBy: null }, 0, 'half a thought')).toBeUndefined()
})
