import { expect, test } from 'vitest'
import { journalFindings } from '../../../src/cli/doctor/journal-findings.ts'

const sound = { set_aside: 0, held_by: [], missed: [] }
const found = (changes: Partial<Parameters<typeof journalFindings>[0]>) =>
  journalFindings({ ...sound, ...changes })

test('a journal without trouble is one line, and a daemon that does not know of it is none', () => {
  expect(found({})).toEqual([{ name: 'journal', state: 'ok', detail: 'every event is handled', fix: null }])
  expect(journalFindings(undefined)).toEqual([])
})

test('events that were set aside are counted, with the commands to look at them and to try them again', () => {
  const [one, more] = [found({ set_aside: 1 }), found({ set_aside: 2 })]
  expect(one).toEqual([
    {
      name: 'journal',
      state: 'warn',
      detail: '1 event was set aside: what should follow has not happened',
      fix: 'look with `holdfast journal show`; when the cause is gone, `holdfast journal retry`',
    },
  ])
  expect(more[0]!.detail).toMatch(/^2 events were set aside/)
})

test('each reader for which old events are kept is named', () => {
  expect(found({ held_by: ['unread', 'traces'] })).toEqual([
    {
      name: 'journal',
      state: 'warn',
      detail: 'old events are kept, because unread, traces did not handle them yet',
      fix: expect.stringContaining('`holdfast journal show`'),
    },
  ])
})

test('each loss of events is a line of its own, with its time, beside other troubles', () => {
  const missed = [1, 2].map((day) => ({ at: `2025-11-1${day}T12:00:00Z`, what: `unread: ${day} events` }))
  expect(found({ set_aside: 1, missed }).map(({ state, detail }) => [state, detail])).toEqual([
    ['warn', expect.stringContaining('set aside')],
    ['warn', 'events were deleted before they were handled (2025-11-11T12:00:00Z): unread: 1 events'],
    ['warn', 'events were deleted before they were handled (2025-11-12T12:00:00Z): unread: 2 events'],
  ])
})
