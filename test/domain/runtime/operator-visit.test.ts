import { expect, test } from 'vitest'
import { newPrompts, operatorVisit } from '../../../src/domain/runtime/operator-visit.ts'

const row = (kind: Parameters<typeof operatorVisit>[0][number]['kind'], detail: string, at: number) => ({
  kind,
  detail,
  at,
})

test('a visit is what lies between two leavings, with a prompt that was heard before its person was seen', () => {
  const rows = [
    row('operator_left', 'reviewer@project', 9),
    row('operator_prompted', 'two', 8),
    row('prompt_sent', 'ours', 7),
    row('operator_came', 'ada', 6),
    row('operator_prompted', 'one', 5),
    row('operator_left', 'reviewer@project', 4),
    row('operator_prompted', 'earlier', 3),
    row('operator_came', 'grace', 2),
  ]
  const visit = { from: 5, who: ['ada'], said: ['one', 'two'] }
  expect(operatorVisit(rows)).toEqual(visit)
  expect(operatorVisit(rows.slice(1))).toEqual(visit)
  expect(operatorVisit(rows.slice(5))).toEqual({ from: 2, who: ['grace'], said: ['earlier'] })
  expect(operatorVisit([])).toEqual({ from: null, who: [], said: [] })
})

test.each([
  { shown: ['a', 'b'], noted: [], fresh: ['a', 'b'] },
  { shown: ['a', 'b'], noted: ['a', 'b'], fresh: [] },
  { shown: ['b', 'c', 'd'], noted: ['a', 'b'], fresh: ['c', 'd'] },
  { shown: ['yes', 'yes'], noted: ['yes'], fresh: ['yes'] },
  { shown: ['yes', 'yes'], noted: ['no', 'yes', 'yes'], fresh: [] },
  { shown: ['unseen', 'a'], noted: ['a'], fresh: [] },
  { shown: ['c'], noted: ['a', 'b'], fresh: ['c'] },
])('of $shown on the screen, after $noted, $fresh is new', ({ shown, noted, fresh }) => {
  expect(newPrompts(shown, noted)).toEqual(fresh)
})
