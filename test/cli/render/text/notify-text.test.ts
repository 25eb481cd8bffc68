import { expect, test } from 'vitest'
import { channelLines, noticeLogLines } from '../../../../src/cli/render/text/notify-text.ts'
import type { NoticeJson } from '../../../../src/protocol/json/notify-json.ts'

const NOW = Date.parse('2026-11-18T16:07:53Z')
const notice = (changes: Partial<NoticeJson>): NoticeJson => ({
  id: 'n1',
  channel: 'phone',
  kind: 'completion',
  session_id: 's',
  question: null,
  title: 'fix-login completed: all twelve tests of the login pass again',
  at: '2026-11-18T16:07:53Z',
  state: 'sent',
  delivery_id: 'd1',
  tries: 1,
  next_at: null,
  sent_at: null,
  why: null,
  ...changes,
})

test('at 80 columns the log shows why something is not told, and first when it is tried again', () => {
  const lines = noticeLogLines(
    [
      notice({ state: 'set_aside', why: 'it answered 410: gone' }),
      notice({ state: 'held', tries: 0, why: 'quiet hours until 07:00' }),
      notice({ state: 'waiting', why: 'it answered 429', next_at: '2026-11-18T16:08:23Z' }),
    ],
    80,
    NOW,
  )
  for (const line of lines) expect(line.length).toBeLessThanOrEqual(80)
  expect(lines[1]).toContain('it answered 410: gone')
  expect(lines[2]).toContain('quiet hours until 07:00')
  expect(lines[3]).toMatch(/again \d\d:\d\d:23: /)
})

test('at 80 columns the problem of a channel is to be read, and what was set aside has its command', () => {
  const channel = { type: 'webhook', can_answer: false, waiting: 2, last_sent_at: '2026-11-18T16:07:53Z' }
  const lines = channelLines(
    [{ ...channel, name: 'hook', problem: null, set_aside: 2, last_error: 'it answered 410: gone' }],
    80,
  )
  expect(lines[1]).toContain('it answered 410: gone')
  expect(lines.at(-1)).toContain('`holdfast notify retry <channel>`')
})
