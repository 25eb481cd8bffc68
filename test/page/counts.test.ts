import { expect, test } from 'vitest'
import { PHASES } from '../../src/domain/task/machine.ts'
import type { OpenQuestionJson } from '../../src/protocol/json/recovery-json.ts'
import type { TotalsJson } from '../../src/protocol/json/task-json.ts'
import { isAnswered, needsOf } from '../../web/src/screens/now/needs.ts'
import { columnCount } from '../../web/src/screens/tasks/board/column-count.ts'
import { STATES } from '../../web/src/screens/tasks/states.ts'
import { counted } from '../../web/src/words/count.ts'
import { placeOf } from '../../web/src/words/state.ts'

test.each(PHASES.filter((phase) => phase !== 'asking' && phase !== 'stopped_by_person'))(
  'a task that is %s is found by the filter that has the name of its place',
  (phase) => {
    const name = { at_work: 'At work', waiting: 'Waiting', needs_you: '', ended: '' }[
      placeOf({ task_status: 'running', phase })
    ]
    expect(STATES.find((state) => state.name === name)?.status?.split(',')).toContain(phase)
  },
)

test('what was not loaded whole is counted as so many or more', () => {
  expect(counted(500, true)).toBe('500')
  expect(counted(1500, false)).toBe('1,500 or more')
})

test('the ended tasks of the board are counted by the daemon, and by what was loaded only in a search', () => {
  const totals = { completed: 900, failed: 80, killed: 20 } as TotalsJson
  expect(columnCount('ended', 500, { totals, hasEnded: true, whole: false })).toBe('1,000')
  expect(columnCount('ended', 7, { totals: undefined, hasEnded: true, whole: false })).toBe('7 or more')
  expect(columnCount('ended', 7, { totals: undefined, hasEnded: true, whole: true })).toBe('7')
})

test('a column of the board is whole as soon as an ended task is loaded, for those come last', () => {
  const none = { totals: undefined, hasEnded: false }
  expect(columnCount('waiting', 500, { ...none, whole: false })).toBe('500 or more')
  expect(columnCount('waiting', 500, { ...none, whole: true })).toBe('500')
  expect(columnCount('waiting', 500, { ...none, hasEnded: true, whole: false })).toBe('500')
})

test('a question of a runtime has its name, and leads to its screen', () => {
  const question = { session_id: '20260603-a', number: 1, asked_at: '2026-06-03' } as OpenQuestionJson
  const [need] = needsOf([], [question], [], [{ task_id: '20260603-a', agent_id: 'reviewer@shop' }])
  expect(need).toMatchObject({ title: 'reviewer@shop', hasScreen: true })
})

test.each([
  ['agent', 'asks'],
  ['holdfast', 'to be decided'],
] as const)('what %s asks of a runtime is called "%s"', (asked_by, word) => {
  const question = {
    session_id: '20260603-a',
    number: 1,
    asked_at: '2026-06-03',
    asked_by,
  } as OpenQuestionJson
  expect(needsOf([], [question], [], [])).toMatchObject([{ state: { word } }])
})

test('an answered question is still shown, and needs nobody', () => {
  const question = { session_id: '20260603-a', number: 1, asked_at: '2026-06-03' } as OpenQuestionJson
  const [open] = needsOf([], [question], [{ question, title: 'A' }], [])
  const [dealt] = needsOf([], [], [{ question, title: 'A' }], [])
  expect([open!, dealt!].map(isAnswered)).toEqual([false, true])
})
