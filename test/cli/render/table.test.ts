import fc from 'fast-check'
import { expect, test } from 'vitest'
import { listLines, totalLine } from '../../../src/cli/commands/list.ts'
import { cells } from '../../../src/cli/render/cells.ts'
import { paintIf } from '../../../src/cli/render/colour.ts'
import { table } from '../../../src/cli/render/table.ts'
import { aTask } from '../a-task.ts'

const plain = paintIf(false)
const tasks = [
  aTask({ session_id: '20251118-153042-grafana', agent: 'grafana-agent' }),
  aTask({
    session_id: '20251118-150012-prometheus',
    agent: 'prometheus-agent',
    status: 'COMPLETED',
    phase: null,
  }),
  aTask({ session_id: '20251118-143201-traefik', agent: 'traefik-agent', status: 'FAILED', phase: null }),
]
const totals = { total: 3, created: 0, running: 1, completed: 1, failed: 1, killed: 0 }

test.each([40, 80, 200])('a list fits %i columns', (width) => {
  const lines = listLines({ rows: tasks, totals }, width, plain)
  for (const line of lines)
    if (!line.startsWith('Total')) expect(cells(line), line).toBeLessThanOrEqual(width)
  expect(lines[0]).toMatch(/^SESSION ID .*STATUS/)
  expect(lines[2]).toMatch(/^20251118-150012-prometh/)
  expect(lines.at(-1)).toBe('Total: 3 sessions (1 running, 1 completed, 1 failed)')
})

test('a pipe gets everything, in columns that awk can cut', () => {
  const [head, first] = listLines({ rows: tasks, totals }, Number.POSITIVE_INFINITY, plain)
  expect(head?.split(/ {2,}/)).toEqual(['SESSION ID', 'AGENT', 'STATUS', 'STARTED', 'ELAPSED'])
  expect(first?.split(/ {2,}/)).toEqual([
    '20251118-153042-grafana',
    'grafana-agent',
    'RUNNING',
    expect.stringMatching(/^2025-11-1\d \d\d:\d\d$/),
    '5m 32s',
  ])
})

test('nothing to list is said in words', () => {
  const none = { total: 0, created: 0, running: 0, completed: 0, failed: 0, killed: 0 }
  expect(listLines({ rows: [], totals: none }, 80, plain)).toEqual(['No sessions found'])
  expect(totalLine({ ...none, total: 1, killed: 1 })).toBe('Total: 1 session (1 killed)')
})

test('a phase that matters stands beside the status, a colour around it', () => {
  const starting = aTask({ phase: 'starting' })
  expect(listLines({ rows: [starting], totals }, 200, plain)[1]).toContain('RUNNING starting')
  expect(listLines({ rows: [starting], totals }, 200, paintIf(true))[1]).toContain('\x1b[36mRUNNING starting')
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
