import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cells } from '../../../../src/cli/render/print/cells.ts'
import { paintIf } from '../../../../src/cli/render/print/colour.ts'
import { table } from '../../../../src/cli/render/print/table.ts'
import { listLines, totalLine } from '../../../../src/cli/render/text/list-text.ts'
import { statusText } from '../../../../src/cli/render/text/status-text.ts'
import type { Phase } from '../../../../src/domain/task/machine.ts'
import type { TaskRowJson } from '../../../../src/protocol/json/task-json.ts'
import { aTaskJson } from '../../../builders/task-json.ts'

const plain = paintIf(false)
const tasks = [
  aTaskJson({ session_id: '20251118-153042-grafana', agent: 'grafana-agent' }),
  aTaskJson({
    session_id: '20251118-150012-prometheus',
    agent: 'prometheus-agent',
    status: 'COMPLETED',
    phase: null,
  }),
  aTaskJson({ session_id: '20251118-143201-traefik', agent: 'traefik-agent', status: 'FAILED', phase: null }),
]
const totals = { total: 3, created: 0, running: 1, asking: 0, completed: 1, failed: 1, killed: 0 }

test.each([40, 80, 200])('a list fits %i columns', (width) => {
  const lines = listLines({ rows: tasks, totals, next: null }, { width: width, paint: plain })
  for (const line of lines)
    if (!line.startsWith('Total')) expect(cells(line), line).toBeLessThanOrEqual(width)
  expect(lines[0]).toMatch(/^SESSION ID .*STATUS/)
  expect(lines[2]).toMatch(/^20251118-150012-prometh/)
  expect(lines.at(-1)).toBe('Total: 3 sessions (1 running, 1 completed, 1 failed)')
})

test('a pipe gets everything, in columns that awk can cut', () => {
  const [head, first] = listLines(
    { rows: tasks, totals, next: null },
    { width: Number.POSITIVE_INFINITY, paint: plain },
  )
  expect(head?.split(/ {2,}/)).toEqual(['SESSION ID', 'AGENT', 'STATUS', 'STARTED', 'ELAPSED', 'ABOUT'])
  expect(first?.split(/ {2,}/)).toEqual([
    '20251118-153042-grafana',
    'grafana-agent',
    'RUNNING',
    expect.stringMatching(/^2025-11-1\d \d\d:\d\d$/),
    '5m 32s',
    'Check the dashboards',
  ])
})

const long = aTaskJson({
  session_id: '20251118-153042-a-name-as-long-as-people-like-them-2',
  phase: 'stopped_by_person',
  title: 'look at every dashboard of the whole company and tell which of them show nothing',
})
const shown = (rows: TaskRowJson[]) => ({ rows, totals, next: null })

test('ids and statuses are never cut, and what a session is about takes the width that is left', () => {
  const lines = (width: number) => listLines(shown([long]), { width, paint: plain })
  expect(lines(80)[1]).toBe('20251118-153042-a-name-as-long-as-people-like-them-2  RUNNING stopped by person')
  expect(lines(100)[1]).toMatch(
    /^20251118-153042-a-name\S+-2 {2}RUNNING stopped by person {2}look at every dash…$/,
  )
  expect(lines(220)[1]).toContain(long.title)
  expect(listLines(shown(tasks), { width: 80, paint: plain })[1]).toMatch(
    /^20251118-153042-grafana +grafana-agent +RUNNING +5m 32s +Check the dash/,
  )
  expect(lines(20)[1]).toBe('20251118-153042-a-name-as-long-as-people-like-them-2')
})

test('those that wait for a person are counted apart and stand out', () => {
  expect(totalLine({ ...totals, total: 4, running: 2, asking: 1 })).toBe(
    'Total: 4 sessions (1 needs you, 1 running, 1 completed, 1 failed)',
  )
  expect(totalLine({ ...totals, total: 4, running: 2, asking: 2 })).toContain('(2 need you, 1 completed')
  const asks = aTaskJson({ task_status: 'waiting_input', phase: 'asking' })
  const [, line] = listLines(shown([asks]), { width: 200, paint: paintIf(true) })
  expect(line).toContain('\x1b[33mRUNNING asking')
})

test('a tree shows each session below the one that started it', () => {
  const of = (session_id: string, parent_session: string | null) => aTaskJson({ session_id, parent_session })
  const rows = [of('d', 'c'), of('c', 'a'), of('b', 'a'), of('a', null), of('x', 'not-shown')]
  const lines = listLines(shown(rows), { width: 200, paint: plain, tree: true })
  expect(lines.slice(1, 6).map((line) => line.split(/ {2,}(?=grafana)/)[0])).toEqual([
    'a',
    '├ c',
    '│ └ d',
    '└ b',
    'x',
  ])
})

test('nothing to list is said in words', () => {
  const none = { total: 0, created: 0, running: 0, asking: 0, completed: 0, failed: 0, killed: 0 }
  expect(listLines({ rows: [], totals: none, next: null }, { width: 80, paint: plain })).toEqual([
    'No sessions found',
  ])
  expect(totalLine({ ...none, total: 1, killed: 1 })).toBe('Total: 1 session (1 killed)')
})

test('a list that leaves out ended sessions says so, and how to see them', () => {
  const more = { ...totals, total: 903, completed: 901 }
  const lines = listLines({ rows: tasks, totals: more, next: 'x' }, { width: 200, paint: plain })
  expect(lines.slice(-2)).toEqual([
    '3 of 903 shown; the others have ended: --limit N shows more, --all shows all',
    'Total: 903 sessions (1 running, 901 completed, 1 failed)',
  ])
  expect(listLines({ rows: [], totals: more, next: 'x' }, { width: 200, paint: plain })).toEqual([
    '0 of 903 shown; the others have ended: --limit N shows more, --all shows all',
  ])
})

test('a phase that matters stands beside the status, a colour around it', () => {
  const starting = aTaskJson({ phase: 'starting' })
  expect(listLines({ rows: [starting], totals, next: null }, { width: 200, paint: plain })[1]).toContain(
    'RUNNING starting',
  )
  expect(
    listLines({ rows: [starting], totals, next: null }, { width: 200, paint: paintIf(true) })[1],
  ).toContain('\x1b[36mRUNNING starting')
})

test('no text breaks a line, reaches the terminal as an escape, or makes a row too wide', () => {
  const columns = [
    { title: 'A', of: (row: string[]) => row[0]!, least: 4, rank: 2 },
    { title: 'B', of: (row: string[]) => row[1]!, least: 4, rank: 1 },
  ]
  const text = fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }))
  const bad = (width: number) => (line: string) => cells(line) > width || /[\p{Cc}\u202e\u2028]/u.test(line)
  const rows = fc.array(fc.tuple(text, text), { maxLength: 5 })
  fc.assert(
    fc.property(rows, fc.integer({ min: 1, max: 60 }), (given, width) => {
      expect(table(columns, given, width).filter(bad(width))).toEqual([])
    }),
  )
})

test.each([
  ['agent', 'asking', 'RUNNING asking'],
  ['holdfast', 'asking', 'RUNNING to be decided'],
  // Why it waits says more than who asks.
  ['holdfast', 'stopped_by_person', 'RUNNING stopped by person'],
] as const)('a list tells a question of an agent from a decision: %s, %s', (asked_by, phase, words) => {
  const rows = [aTaskJson({ task_status: 'waiting_input', phase, asked_by })]
  const [, line] = listLines({ rows, totals, next: null }, { width: 200, paint: plain })
  expect(line?.split(/ {2,}/)).toContain(words)
})

test('a list says what is waited for and until when', () => {
  const at = Date.parse('2025-11-18T15:30:00Z')
  const until = '2025-11-18T15:35:00Z'
  const text = (phase: Phase, waits_for: TaskRowJson['waits_for'], waits_until: string | null, now = at) =>
    statusText(aTaskJson({ phase, waits_for, waits_until }), now)
  expect(text('queued', 'limit', until)).toMatch(/^RUNNING limit until \d\d:35$/)
  expect(text('queued', 'breaker', null)).toBe('RUNNING breaker is being tested')
  expect(text('queued', 'tmux', null)).toBe('RUNNING waits for tmux')
  expect(text('backing_off', 'time', until)).toMatch(/^RUNNING backing off until \d\d:35$/)
  expect(text('parked', 'time', until, at - 2 * 86_400_000)).toMatch(/parked until 11-1\d \d\d:35$/)
})
