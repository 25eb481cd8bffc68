import { expect, test } from 'vitest'
import { csvRow } from '../../../../src/cli/render/print/csv.ts'
import { outcomeLines, progressLine } from '../../../../src/cli/render/text/monitor-text.ts'
import type { MonitoredJson } from '../../../../src/protocol/json/monitor-json.ts'
import { aQuestionJson } from '../../../builders/question-json.ts'
import { aNext } from '../../../builders/task-json.ts'

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
  next: aNext({ kind: 'working', what: 'nothing: it works' }),
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
  const at = '2025-11-18T17:05:00Z'
  const next = aNext({ kind: 'parked', what: 'resumes its session', at })
  const parked = monitored({ phase: 'parked', phase_until: at, reason: 'usage limit', next, last_words: 'x' })
  expect(progressLine(parked, now)).toMatch(
    /parked, in 2h 5m \(\d\d:05:00\): resumes its session\. At once: `holdfast unpark \S+` \(usage limit\)$/,
  )
  const late = monitored({ phase: 'backing_off', phase_until: at, reason: null, next })
  expect(progressLine(late, Date.parse(at))).toBe(`${id} backing off, now: resumes its session`)
})

test('progress of one that waits tells which gate or slot it waits for, and until when', () => {
  const now = Date.parse('2025-11-18T15:00:00Z')
  const what = 'starts as soon as a slot is free (number 3 in the queue)'
  const queued = monitored({ phase: 'queued', next: aNext({ kind: 'queued', what }) })
  expect(progressLine(queued, now)).toBe(`${id} queued: ${what}`)
  const over = 'starts; its usage limit should be over then: one task tries first, the rest follow'
  const next = aNext({ kind: 'behind_gate', what: over, at: '2025-11-18T15:05:00Z' })
  expect(progressLine(monitored({ phase: 'queued', next }), now)).toMatch(
    /queued, in 5m 0s \(\d\d:05:00\): starts; its usage limit should be over then/,
  )
})

test('a session whose turn is over is told with how to go on and how to end it', () => {
  const idle = monitored({
    final_state: 'completed',
    phase: 'idle',
    exit_reason: 'its turn is over; it waits for a prompt',
  })
  expect(outcomeLines(idle, plain)).toEqual([
    `completed: ${id}`,
    '  its turn is over; it waits for a prompt',
    `  Go on with: holdfast send ${id} <prompt>`,
    `  End it with: holdfast finish ${id}`,
    '  Output: /h/tasks/x/output.log',
  ])
})

test('the outcome tells why, or what to answer', () => {
  const crashed = monitored({ final_state: 'crashed', exit_reason: 'exited with\x1b[2J code 1' })
  expect(outcomeLines(crashed, plain)).toEqual([
    `crashed: ${id}`,
    '  exited with[2J code 1',
    '  Output: /h/tasks/x/output.log',
  ])
  const options = ['red', 'blue']
  const question = aQuestionJson({ question: 'Which?', options })
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
