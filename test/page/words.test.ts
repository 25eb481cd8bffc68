import { expect, onTestFinished, test, vi } from 'vitest'
import { taskTransitions } from '../../src/domain/task/machine.ts'
import type { AgentSays } from '../../src/ports/run/agent-driver.ts'
import type { StoryJson } from '../../src/protocol/json/recovery-json.ts'
import { OUTPUT_HEADS } from '../../src/protocol/output-heads.ts'
import { renderSays } from '../../src/supervisor/reading/render-says.ts'
import { axisTimes } from '../../web/src/words/axis.ts'
import { sourceWord } from '../../web/src/words/evidence.ts'
import { inputOutcome } from '../../web/src/words/input.ts'
import { outputLines } from '../../web/src/words/output.ts'
import { askedParts, closingStep } from '../../web/src/words/question.ts'
import { readWords } from '../../web/src/words/read-by.ts'
import { screenLines, screenText } from '../../web/src/words/screen.ts'
import { placeOf, stateWord } from '../../web/src/words/state.ts'
import {
  ago,
  amount,
  bytes,
  clockTime,
  dayStart,
  money,
  span,
  until,
  withReadableTimes,
} from '../../web/src/words/time.ts'
import { timelineOf } from '../../web/src/words/timeline.ts'
import { untilNow, usageOf } from '../../web/src/words/usage.ts'

const MINUTE = 60_000

test.each([
  [0, '0 s'],
  [-5000, '0 s'],
  [59_999, '59 s'],
  [18 * MINUTE, '18 min'],
  [72 * MINUTE, '1 h 12 min'],
  [2 * 60 * MINUTE, '2 h'],
  [27 * 60 * MINUTE, '1 d 3 h'],
])('%i ms are %s', (ms, words) => expect(span(ms)).toBe(words))

test('what seems to lie ahead by a little is now, and a time that is over comes at any moment', () => {
  expect(ago(10_000, 9000)).toBe('just now')
  expect(ago(0, 2 * MINUTE)).toBe('2 min ago')
  expect(until(1000, 2000)).toBe('at any moment')
})

test.each([
  ['2026-06-03T14:03:00Z', '14:03'],
  ['2026-06-02T14:03:00Z', 'Jun 2, 14:03'],
  ['2025-06-03T14:03:00Z', 'Jun 3, 2025, 14:03'],
  ['2027-01-01T09:00:00Z', 'Jan 1, 2027, 09:00'],
])('seen on 3 June 2026, %s is %s: with the day and the year where they are others', (at, words) => {
  vi.stubEnv('TZ', 'UTC')
  onTestFinished(() => void vi.unstubAllEnvs())
  expect(clockTime(Date.parse(at), Date.parse('2026-06-03T20:00:00Z'))).toBe(words)
})

test.each([
  ['UTC', '2026-06-03T23:59:59.999Z', '2026-06-03T00:00:00.000Z'],
  ['UTC', '2026-06-03T00:00:00.000Z', '2026-06-03T00:00:00.000Z'],
  ['Pacific/Auckland', '2026-06-03T11:59:59.000Z', '2026-06-02T12:00:00.000Z'],
  ['America/Los_Angeles', '2026-06-03T06:59:59.000Z', '2026-06-02T07:00:00.000Z'],
  // Its clocks were set from 00:00 to 01:00.
  ['Africa/Cairo', '2025-04-25T09:00:00.000Z', '2025-04-24T22:00:00.000Z'],
  // Its clocks were set from 01:00 back to 00:00, and this is the second half past midnight.
  ['America/Havana', '2025-11-02T05:30:00.000Z', '2025-11-02T04:00:00.000Z'],
])('in %s, the day of %s began at %s', (zone, at, began) => {
  vi.stubEnv('TZ', zone)
  onTestFinished(() => void vi.unstubAllEnvs())
  expect(new Date(dayStart(Date.parse(at))).toISOString()).toBe(began)
})

test('amounts are short', () => {
  expect([0, 999, 48_000, 3100, 1_250_000].map(amount)).toEqual(['0', '999', '48 k', '3.1 k', '1.3 M'])
  expect([12, 1400, 100_000_000].map(bytes)).toEqual(['12 B', '1.4 KB', '100 MB'])
  expect([0, 0.004, 0.424].map(money)).toEqual(['', '< $0.01', '$0.42'])
})

test('every status and phase that a task can reach has a word, and a phase that the page does not know is said to be unknown', () => {
  const reached = Object.values(taskTransitions).flatMap((steps) => Object.values(steps))
  const unknown = reached.filter(
    ({ to, phase }) =>
      stateWord({ task_status: to, phase, stopping: null, asked_by: null }).word === 'unknown',
  )
  expect(unknown).toEqual([])
  const newer = {
    task_status: 'running',
    phase: 'dreaming' as 'idle',
    stopping: null,
    asked_by: null,
  } as const
  expect(stateWord(newer).word).toBe('unknown')
  expect(placeOf(newer)).toBe('waiting')
  expect(sourceWord('oracle')).toBe('oracle')
})

test('of a task whose daemon is silent only the end is known, and it is not at work', () => {
  const elsewhere = { node_id: 'node-b', host: 'den', silent_since: '2026-11-18T10:00:00Z' }
  const task = { phase: 'working', stopping: null, asked_by: null, elsewhere } as const
  expect(stateWord({ ...task, task_status: 'running' }).word).toBe('unknown')
  expect(placeOf({ ...task, task_status: 'running' })).toBe('waiting')
  expect(stateWord({ ...task, task_status: 'completed', phase: null }).word).toBe('done')
  const heard = { ...task, elsewhere: { ...elsewhere, silent_since: null } }
  expect(stateWord({ ...heard, task_status: 'running' }).word).toBe('works')
})

test.each([
  ['agent', 'asking', null, 'asks'],
  ['holdfast', 'asking', null, 'to be decided'],
  // Why it waits, and that it is being ended, says more than who asks.
  ['holdfast', 'stopped_by_person', null, 'stopped by you'],
  ['holdfast', 'asking', 'killed', 'is being ended'],
] as const)(
  'what %s asks of a task that is %s (stopping: %s) is called "%s"',
  (asked_by, phase, stopping, word) =>
    expect(stateWord({ task_status: 'waiting_input', phase, stopping, asked_by }).word).toBe(word),
)

test.each([
  ['May I run this?\n\nrm -rf build', { words: 'May I run this?', exact: 'rm -rf build' }],
  ['May I run this command?  psql -f a.sql', { words: 'May I run this command?', exact: 'psql -f a.sql' }],
  ['Which colour?', { words: 'Which colour?', exact: null }],
  [
    'Bash command\nTidies up\nrm -rf build\nDo you want to proceed?',
    { words: 'Bash command. Do you want to proceed?', exact: 'Tidies up\nrm -rf build' },
  ],
  ['☐ Colour\nWhich colour?', { words: '☐ Colour. Which colour?', exact: null }],
  ['', { words: '', exact: null }],
])('a question quotes its command exactly: %j', (question, parts) =>
  expect(askedParts(question)).toEqual(parts),
)

test('output lines are told apart, and their text stays as it is', () => {
  const [one, two, three, four] = outputLines([
    'agent: <b>hi</b>',
    '[holdfast] run 1 ended: killed by SIGKILL',
    '[holdfast] run 2 resumes its session',
    '  indented',
  ])
  expect(one).toEqual({ kind: 'agent', head: 'agent', text: '<b>hi</b>' })
  expect([two?.kind, three?.kind]).toEqual(['cut', 'holdfast'])
  expect(four).toEqual({ kind: 'plain', head: '', text: '  indented' })
})

test('who closed a question is told by the step that ended it, whatever came later', () => {
  const step = (at: string, phase: string | null, source: string): StoryJson => ({
    ...{ at, phase, event: 'e', from: 'running', to: 'running', reason: '', run: 1 },
    evidence: [{ source, fact: '' }],
  })
  const story = [
    step('2026-01-01T10:00:00Z', 'asking', 'screen'),
    step('2026-01-01T10:00:01Z', 'working', 'agent'),
    step('2026-01-01T10:00:02Z', 'asking', 'screen'),
    step('2026-01-01T10:00:03Z', 'working', 'screen'),
    step('2026-01-01T10:00:04Z', null, 'exit_record'),
  ]
  expect(closingStep(story, '2026-01-01T10:00:00Z')).toBe(story[1])
  expect(closingStep(story, '2026-01-01T10:00:02Z')).toBe(story[3])
  expect(closingStep(story.slice(0, 1), '2026-01-01T10:00:00Z')).toBeUndefined()
  // A step has milliseconds, the time of a question has none.
  const exact = story.map((step) => ({ ...step, at: step.at.replace('Z', '.123Z') }))
  expect(closingStep(exact, '2026-01-01T10:00:00Z')).toBe(exact[1])
})

test('of many empty rows in the middle of a screen two are left, and of those at its end none', () => {
  expect(screenText('words\n\nmore')).toBe('words\n\nmore')
  expect(screenText('words\n\n\n   \n\n\n  box\n\n  keys\n\n\n')).toBe('words\n\n\n  box\n\n  keys')
  expect(screenText('\n\n\n\nwords')).toBe('\n\n\nwords')
  expect(screenText('\n '.repeat(100_000)).length).toBe(0)
})

test('an answer is followed until its question is closed', () => {
  const answer = { kind: 'answer', question: 2, said: false, heard: false } as const
  expect(inputOutcome(answer, [{ number: 2 }])).toBe('waits')
  expect(inputOutcome({ ...answer, said: true }, [{ number: 2 }])).toBe('given to the agent')
  expect(inputOutcome({ ...answer, said: true }, [{ number: 3 }])).toBe('its question is closed')
})

const everySaying: readonly AgentSays[] = [
  { kind: 'session', id: 's' },
  { kind: 'said', text: 'words' },
  { kind: 'note', text: 'a note' },
  { kind: 'tool_began', tool: 'Bash', detail: 'ls' },
  { kind: 'tool_ended', tool: 'Bash', detail: 'a', ok: true },
  { kind: 'tool_ended', tool: 'Bash', detail: 'a', ok: false },
  { kind: 'asked', question: 'May I?', options: ['Yes', 'No'] },
  { kind: 'answered', answer: 'Yes' },
  { kind: 'heard', ref: null, text: 'do it' },
  { kind: 'blocked', tool: 'Bash', why: 'no' },
  { kind: 'limited', message: 'full', untilMs: null },
  { kind: 'usage', tokensIn: 1, tokensOut: 1, costUsd: 0 },
  { kind: 'finished', ok: true, text: 'done' },
  { kind: 'finished', ok: false, text: 'no' },
  { kind: 'unknown', line: '?' },
]

test.each(everySaying)(
  'of $kind, every line of the output has its head, and the lines below stand under the first',
  (says) => {
    const lines = outputLines(renderSays(says).trimEnd().split('\n'))
    expect(lines[0]?.head).not.toBe('')
    for (const { kind, text } of lines) {
      expect(kind).toBe(lines[0]?.kind)
      expect(text).toBe(text.trimStart())
    }
  },
)

test('every line that the daemon writes to an output is known to the page by its head, and failures are told apart', () => {
  const seen = everySaying.map((says) => outputLines(renderSays(says).split('\n'))[0]!)
  expect(seen.map(({ head }) => head).sort()).toEqual([...OUTPUT_HEADS].sort())
  expect(seen.filter(({ kind }) => kind === 'plain')).toEqual([])
  expect(seen.filter(({ kind }) => kind === 'failed').map(({ head }) => head)).toEqual([
    'tool failed',
    'blocked',
    'result, failed',
  ])
})

test('a screen for a phone has no blank lines at its ends, one between, and boxes that are as narrow as their words', () => {
  const rule = `╭${'─'.repeat(100)}╮`
  const box = `│ Allow this?${' '.repeat(90)}│`
  expect(screenLines(`\n\n  first   \n\n\n\n${rule}\n${box}\n\n`)).toEqual([
    { text: '  first', isRule: false },
    { text: '', isRule: false },
    { text: rule, isRule: true },
    { text: '│ Allow this? │', isRule: false },
  ])
  expect(screenLines(' \n ')).toEqual([])
})

test('nobody has to read their own messages', () => {
  const messages = ['a', 'a', 'b', 'a'].map((author, at) => ({ number: at + 1, author }))
  expect(readWords({ name: 'a', read: 0 }, messages, 4)).toBe('has read 2 of 4')
  expect(readWords({ name: 'a', read: 3 }, messages, 4)).toBe('has read all')
  expect(readWords({ name: 'b', read: 1 }, messages, 4)).toBe('has read 1 of 4')
  expect(readWords({ name: 'a', read: 0 }, messages.slice(0, 2), 2)).toBe('has read all')
})

const reports = [
  { at: 2000, tokens_in: 10, tokens_out: 2, cost_usd: 0.1 },
  { at: 9000, tokens_in: 5, tokens_out: 1, cost_usd: 0.2 },
]

test('usage is summed report by report, from the beginning', () => {
  expect(usageOf(reports, { tokens_in: 15, tokens_out: 3, cost_usd: 0.3 }, 1000)).toEqual([
    { at: 1000, tokensIn: 0, tokensOut: 0, costUsd: 0 },
    { at: 2000, tokensIn: 10, tokensOut: 2, costUsd: 0.1 },
    { at: 9000, tokensIn: 15, tokensOut: 3, costUsd: expect.closeTo(0.3) },
  ])
})

test('where earlier reports are not kept, usage begins with what they told', () => {
  expect(usageOf(reports, { tokens_in: 115, tokens_out: 3, cost_usd: 1.3 }, 1000)).toEqual([
    { at: 2000, tokensIn: 110, tokensOut: 2, costUsd: expect.closeTo(1.1) },
    { at: 9000, tokensIn: 115, tokensOut: 3, costUsd: expect.closeTo(1.3) },
  ])
})

const step = (
  seconds: number,
  event: string,
  phase: string | null,
  run: number | null,
  exit?: string,
): StoryJson => ({
  at: new Date(seconds * 1000).toISOString(),
  event,
  from: 'x',
  to: 'running',
  phase,
  reason: event,
  evidence: exit === undefined ? [] : [{ source: 'exit_record', fact: exit }],
  run,
})
const run = (number: number, how: string) => ({
  number,
  how,
  state: '',
  exit: null,
  failure: null,
  tools: 0,
  progress: 0,
  steps: [],
})

test('a story becomes bars: start and work of a run are one, a death is marked, what goes on reaches now', () => {
  const story = [
    step(0, 'created', 'queued', null),
    step(1, 'launched', 'starting', 1),
    step(2, 'agent_started', 'working', 1),
    step(10, 'requeued', 'queued', null, 'signal KILL'),
    step(11, 'launched', 'starting', 2),
    step(12, 'agent_started', 'working', 2),
  ]
  const { bars, marks, from, to } = timelineOf({ story, runs: [run(1, 'start'), run(2, 'resume')] }, 20_000)
  expect(bars.map(({ lane, label, from, to }) => [lane, label, from, to])).toEqual([
    ['Waits', 'queued', 0, 1000],
    ['Runs', '1 start', 1000, 10_000],
    ['Waits', 'queued', 10_000, 11_000],
    ['Runs', '2 resumed', 11_000, 20_000],
  ])
  expect(marks.map(({ from: at }) => at)).toEqual([10_000])
  expect([from, to]).toEqual([0, 20_000])
})

test('parks and pauses are hatched waits, a verification is a check, and the end is no bar', () => {
  const story = [
    step(0, 'launched', 'starting', 1),
    step(5, 'parked', 'parked', 1, 'code 1'),
    step(65, 'launched', 'starting', 2),
    step(70, 'backing_off', 'backing_off', 2, 'code 1'),
    step(72, 'launched', 'starting', 3),
    step(80, 'verifying', 'verifying', 3, 'code 0'),
    step(83, 'completed', null, null),
  ]
  const runs = [run(1, 'start'), run(2, 'resume'), run(3, 'with_context')]
  const { bars, marks } = timelineOf({ story, runs }, 999_000)
  expect(bars.map(({ lane, label, hatched, from, to }) => [lane, label, hatched, from, to])).toEqual([
    ['Runs', '1 start', false, 0, 5000],
    ['Waits', 'parked', true, 5000, 65_000],
    ['Runs', '2 resumed', false, 65_000, 70_000],
    ['Waits', 'pause before the retry', true, 70_000, 72_000],
    ['Runs', '3 retried with context', false, 72_000, 80_000],
    ['Checks', 'verifies', false, 80_000, 83_000],
  ])
  expect(bars.map(({ steps }) => steps)).toEqual(story.slice(0, -1).map((one) => [one]))
  expect(marks.map(({ from }) => from)).toEqual([70_000])
})

test('an ended story ends at its end, a clean exit is no death, and the axis has round moments', () => {
  const story = [step(0, 'created', 'queued', null), step(60, 'completed', null, null, 'code 0')]
  const line = timelineOf({ story, runs: [] }, 999_000)
  expect([line.to, line.marks]).toEqual([60_000, []])
  expect(axisTimes(line.axis, 0.1).every((at) => at >= line.from && at <= line.to)).toBe(true)
  expect(timelineOf({ story: [], runs: [] }, 5).bars).toEqual([])
})

test('an agent that stops for a usage limit did not die, and one that was killed meanwhile did', () => {
  const marks = (exit: string) =>
    timelineOf({ story: [step(0, 'parked', 'parked', null, exit)], runs: [] }, 1000).marks.length
  expect([marks('code 1'), marks('signal KILL')]).toEqual([0, 1])
})

test('of thousands of steps the timeline shows a few hundred bars, together as long as before, and how many each stands for', () => {
  const phases = ['queued', 'working', 'backing_off'] as const
  const story = Array.from({ length: 5000 }, (_, n) =>
    step(n, 'moved', phases[n % 3]!, null, n % 3 === 2 ? 'signal KILL' : undefined),
  )
  const { bars, marks } = timelineOf({ story, runs: [] }, 5_000_000)
  expect(bars.length).toBeLessThan(800)
  expect(marks.length).toBeLessThan(300)
  expect(bars.flatMap(({ steps }) => steps)).toHaveLength(5000)
  for (const lane of ['Runs', 'Waits'] as const) {
    const own = bars.filter((bar) => bar.lane === lane)
    expect([own[0]!.from, own.at(-1)!.to].map((ms) => Math.round(ms / 10_000))).toEqual([0, 500])
    expect(own.map(({ from }) => from)).toEqual(own.map(({ from }) => from).toSorted((a, b) => a - b))
  }
  expect(marks[0]!.label).toMatch(/^\d+ times, at last: /)
})

test('what was used stands until now, and what was reported later than that is not moved', () => {
  const point = { at: 1000, tokensIn: 1, tokensOut: 2, costUsd: 3 }
  expect(untilNow([point], 5000)).toEqual([point, { ...point, at: 5000 }])
  expect(untilNow([point], 500)).toEqual([point])
  expect(untilNow([], 500)).toEqual([])
})

test('times within a sentence are told in the reader’s zone; other figures stay', () => {
  vi.stubEnv('TZ', 'Europe/Berlin')
  onTestFinished(() => void vi.unstubAllEnvs())
  const now = Date.parse('2026-01-05T10:00:00Z')
  const words = (text: string) => withReadableTimes(text, now)
  expect(words('It resets at 2026-01-05T15:09:27.428Z.')).toBe('It resets at 16:09.')
  expect(words('from 2026-01-04T08:00:00+01:00 on')).toBe('from Jan 4, 08:00 on')
  expect(words('2026-01-05, build 12:30')).toBe('2026-01-05, build 12:30')
})
