import { expect, test } from 'vitest'
import type { JournalJson, SetAsideJson, SubscriberJson } from '../../src/protocol/json/journal-json.ts'
import { heldWords, journalWord, whySetAside } from '../../web/src/words/journal.ts'

const reader = (changes: Partial<SubscriberJson> = {}): SubscriberJson => ({
  name: 'unread',
  behind: 0,
  set_aside: 0,
  holds_pruning: false,
  elsewhere: null,
  ...changes,
})
const aside: SetAsideJson = {
  id: 'unread:node:7',
  subscriber: 'unread',
  kind: 'cursor_moved',
  session_id: null,
  seq: 7,
  at: '2026-11-18T05:00:00Z',
  why: 'it broke',
}
const journal = (changes: Partial<JournalJson>): JournalJson => ({
  subscribers: [reader()],
  set_aside: [],
  missed: [],
  ...changes,
})

test('the journal is fine, held back, or has events set aside, which is worse', () => {
  const holds = [reader({ holds_pruning: true })]
  expect(journalWord(journal({}))).toEqual({ word: 'fine', tone: 'green' })
  expect(journalWord(journal({ subscribers: holds }))).toEqual({ word: 'held back', tone: 'amber' })
  expect(journalWord(journal({ subscribers: holds, set_aside: [aside] }))).toEqual({
    word: 'set aside',
    tone: 'red',
  })
})

test('those that keep old events are named with how far they are behind; the others are not', () => {
  expect(heldWords([reader(), reader({ name: 'traces', behind: 3 })])).toBeUndefined()
  const held = [reader({ behind: 1234, holds_pruning: true }), reader({ name: 'traces', behind: 3 })]
  expect(heldWords(held)).toBe(
    'Old events are kept, because they were not handled yet: unread (1,234 behind).',
  )
})

test('an event says why it was set aside, or behind what it waits', () => {
  expect(whySetAside(aside)).toBe('it broke')
  expect(whySetAside({ why: null })).toBe('It waits behind an earlier one of its session.')
})
