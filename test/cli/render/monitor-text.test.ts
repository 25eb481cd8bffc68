import { expect, test } from 'vitest'
import { csvRow } from '../../../src/cli/render/csv.ts'
import { outcomeLines, progressLine } from '../../../src/cli/render/monitor-text.ts'
import type { MonitoredJson } from '../../../src/protocol/monitor-json.ts'

const id = '20251118-153042-demo'
const plain = (_colour: string, text: string) => text
const monitored = (changes: Partial<MonitoredJson> = {}): MonitoredJson => ({
  final_state: null,
  output_file: '/h/tasks/x/output.log',
  exit_reason: null,
  session_id: id,
  task_status: 'running',
  phase: 'working',
  phase_until: null,
  reason: 'its process is alive',
  question: null,
  last_words: null,
  dir: '/p',
  ...changes,
})

test('progress shows the last words, or when and why it goes on', () => {
  const now = Date.parse('2025-11-18T15:00:00Z')
  expect(progressLine(monitored(), now)).toBe(`${id} working`)
  expect(progressLine(monitored({ last_words: 'I read\nthe tests' }), now)).toBe(
    `${id} working: I read the tests`,
  )
  const parked = monitored({ phase: 'parked', phase_until: '2025-11-18T17:05:00Z', reason: 'usage limit' })
  expect(progressLine(parked, now)).toBe(`${id} parked, goes on in 2h 5m: usage limit`)
  const late = monitored({ phase: 'backing_off', phase_until: '2025-11-18T14:59:59Z', reason: null })
  expect(progressLine(late, now)).toBe(`${id} backing off, goes on in 0s`)
})

test('the outcome tells why, or what to answer', () => {
  const crashed = monitored({ final_state: 'crashed', exit_reason: 'exited with\x1b[2J code 1' })
  expect(outcomeLines(crashed, plain)).toEqual([
    `crashed: ${id}`,
    '  exited with[2J code 1',
    '  Output: /h/tasks/x/output.log',
  ])
  const question = { number: 1, question: 'Which?', options: ['red', 'blue'], asked_at: '' }
  const asking = monitored({ final_state: 'needs_input', exit_reason: 'Which? 1. red 2. blue', question })
  expect(outcomeLines(asking, plain)).toEqual([
    `needs input: ${id}`,
    '  Which?',
    '    1. red',
    '    2. blue',
    `  Answer with: holdfast answer ${id} <choice>`,
    '  Output: /h/tasks/x/output.log',
  ])
  expect(outcomeLines(monitored(), plain)).toEqual([`goes on: ${id}`])
})

test('a row of CSV stays one row whatever is in it', () => {
  expect(csvRow(['completed', '/o.log', 'done'])).toBe('completed,/o.log,done')
  expect(csvRow([null, '/a,b', 'said "no",\nthen left'])).toBe(',"/a,b","said ""no"", then left"')
})
