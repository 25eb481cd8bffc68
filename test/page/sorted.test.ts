import { expect, test } from 'vitest'
import type { TaskRowJson } from '../../src/protocol/json/task-json.ts'
import { nextSort, sorted, sortIn } from '../../web/src/screens/tasks/table/sorted.ts'
import { aTaskJson } from '../builders/task-json.ts'

const row = (title: string, changes: Partial<TaskRowJson>): TaskRowJson => aTaskJson({ title, ...changes })
const rows = [
  row('b', { cost_usd: 2, last_activity_at: null }),
  row('C', { cost_usd: 9, last_activity_at: '2026-01-01T10:00:00Z' }),
  row('a', { cost_usd: 2, last_activity_at: '2026-01-01T11:00:00Z' }),
]
const titles = (text: string | undefined) => sorted(rows, sortIn(text)).map(({ title }) => title)

test('rows are sorted by a column, equal ones stay as they were, and what has no value comes last', () => {
  expect(titles('-cost')).toEqual(['C', 'b', 'a'])
  expect(titles('cost')).toEqual(['b', 'a', 'C'])
  expect(titles('title')).toEqual(['a', 'b', 'C'])
  expect(titles('-activity')).toEqual(['a', 'C', 'b'])
  expect(titles('activity')).toEqual(['C', 'a', 'b'])
})

test('an order that the page does not know is none', () => {
  expect([sortIn(undefined), sortIn('-nonsense'), sortIn('')]).toEqual([undefined, undefined, undefined])
  expect(sorted(rows, undefined)).toBe(rows)
})

test('figures come from the largest first, words from A; the third press gives the first order back', () => {
  expect(nextSort(undefined, 'cost')).toBe('-cost')
  expect(nextSort(sortIn('-cost'), 'cost')).toBe('cost')
  expect(nextSort(sortIn('cost'), 'cost')).toBe(undefined)
  expect(nextSort(sortIn('-cost'), 'title')).toBe('title')
  expect(nextSort(sortIn('title'), 'title')).toBe('-title')
})
