import { expect, test } from 'vitest'
import { type NextOf, nextText } from '../../../../src/cli/render/text/next-text.ts'
import type { NextJson } from '../../../../src/protocol/json/task-json.ts'
import { aNext } from '../../../builders/task-json.ts'

const NOW = Date.parse('2025-11-18T15:30:42Z')
const text = (next: NextJson, mode: NextOf['mode'] = 'headless') =>
  nextText({ session_id: 't1', mode, next }, NOW)

test.each<[NextJson, string]>([
  [aNext({ kind: 'working', what: 'nothing: it works' }), 'nothing: it works'],
  [
    aNext({ kind: 'ended', what: 'nothing by itself' }),
    'nothing by itself: `holdfast resume t1` or `holdfast retry t1`',
  ],
  [
    aNext({ kind: 'awaits_answer', what: 'waits for your answer' }),
    'waits for your answer: `holdfast answer t1 <choice>`',
  ],
  [
    aNext({ kind: 'awaits_answer', what: 'waits for your answer', question: 2 }),
    'waits for your answer: `holdfast answer t1 --question 2 <choice>`',
  ],
  [
    aNext({ kind: 'awaits_person', what: 'waits for you' }),
    'waits for you: `holdfast resume t1` or `holdfast kill t1`',
  ],
  [aNext({ kind: 'kept_back', what: 'idle; 1 prompt waits' }), 'idle; 1 prompt waits: `holdfast attach t1`'],
  [
    aNext({ kind: 'idle', what: 'waits for a prompt' }),
    'waits for a prompt: `holdfast send t1 <prompt>` or `holdfast finish t1`',
  ],
])('%j is shown with the commands that a person can give', (next, shown) => {
  expect(text(next)).toBe(shown)
})

test('who sits in a terminal can also be attached to', () => {
  const idle = aNext({ kind: 'idle', what: 'waits for a prompt' })
  expect(text(idle, 'interactive')).toBe(
    'waits for a prompt: `holdfast send t1 <prompt>` or `holdfast attach t1` or `holdfast finish t1`',
  )
})

test('a time that is still to come is told as a span, one that has come as now', () => {
  const at = (seconds: number) => new Date(NOW + seconds * 1000).toISOString()
  const parked = aNext({ kind: 'parked', what: 'resumes its session' })
  expect(text({ ...parked, at: at(65) })).toMatch(/^in 1m 5s \(\d\d:\d\d:\d\d\): resumes its session\. /)
  expect(text({ ...parked, at: at(-1) })).toBe('now: resumes its session')
})

test.each(['behind_gate', 'parked', 'backing_off'] as const)(
  'who does not want to wait (%s) is told the command, while there is something to wait for',
  (kind) => {
    const next = aNext({ kind, what: 'starts', at: new Date(NOW + 60_000).toISOString() })
    expect(text(next)).toMatch(/: starts\. At once: `holdfast unpark t1`$/)
    expect(text({ ...next, at: null })).toBe('starts. At once: `holdfast unpark t1`')
    expect(text({ ...next, at: new Date(NOW).toISOString() })).toBe('now: starts')
    expect(text({ ...next, at: new Date(NOW + 4000).toISOString() })).toMatch(/^in 4s \(.*\): starts$/)
  },
)

test.each([
  ['idle', '`holdfast send t1 <prompt>` or `holdfast attach t1` or `holdfast runtime stop reviewer@proj`'],
  ['ended', '`holdfast runtime start reviewer --workspace proj`'],
  ['awaits_person', '`holdfast resume t1` or `holdfast runtime stop reviewer@proj`'],
] as const)('of a runtime that is %s only what a runtime takes is offered', (kind, commands) => {
  const next = aNext({ kind, what: 'waits', runtime: 'reviewer@proj' })
  expect(nextText({ session_id: 't1', mode: 'interactive', next }, NOW)).toBe(`waits: ${commands}`)
})
