import { expect, test } from 'vitest'
import type { Key, KeyName } from '../../../src/cli/top/input/keys.ts'
import { press, reselected } from '../../../src/cli/top/input/press.ts'
import { type BoardState, INITIAL_STATE } from '../../../src/cli/top/input/state.ts'
import { BoardModel } from '../../../src/cli/top/model/board-model.ts'
import { aTaskJson } from '../../builders/task-json.ts'

const model = new BoardModel()
for (const [id, phase] of [
  ['c', 'working'],
  ['b', 'working'],
  ['a', 'idle'],
] as const)
  model.takeDetail(model.ask(), aTaskJson({ session_id: id, phase }), 0)
const rows = model.rows()
const around = { rows, listHeight: 10, pageHeight: 20, pageTop: 5 }
const char = (text: string): Key => ({ kind: 'text', text })
const key = (name: KeyName): Key => ({ kind: 'key', name })
const on = (selected: string, more: Partial<BoardState> = {}): BoardState => ({
  ...INITIAL_STATE,
  selected,
  ...more,
})

test.each([
  ['down', 'c', 'b'],
  ['up', 'c', 'c'],
  ['end', 'c', 'a'],
  ['page_down', 'c', 'a'],
  ['home', 'a', 'c'],
  ['tab', 'c', 'a'],
  ['tab', 'a', 'c'],
] as const)('%s from %s selects %s', (name, from, to) => {
  expect(press(on(from), key(name), around).state.selected).toBe(to)
})

test('the selection stays with its session, and goes to its neighbour when that is gone', () => {
  expect(reselected(on('b', { selectedAt: 0 }), rows)).toMatchObject({ selected: 'b', selectedAt: 1 })
  expect(reselected(on('gone', { selectedAt: 1 }), rows)).toMatchObject({ selected: 'b' })
  expect(reselected(on('gone', { selectedAt: 9 }), rows)).toMatchObject({ selected: 'a' })
  expect(reselected(on('gone'), [])).toMatchObject({ selected: null })
})

test('k and r ask first, about the session that was selected then; only y is a yes', () => {
  for (const [letter, what] of [
    ['k', 'kill'],
    ['r', 'retry'],
  ] as const) {
    const asked = press(on('a'), char(letter), around)
    expect(asked).toMatchObject({ state: { prompt: { kind: what, id: 'a' } }, action: null })
    const moved = { ...asked.state, selected: 'b' }
    expect(press(moved, char('y'), around).action).toEqual({ do: what, id: 'a' })
    for (const no of [
      char('n'),
      char('k'),
      key('enter'),
      key('escape'),
      { kind: 'paste', text: 'y' } as const,
    ])
      expect(press(moved, no, around)).toMatchObject({ state: { prompt: null }, action: null })
  }
})

test('k on a runtime asks nothing, and says how it is stopped', () => {
  const standing = new BoardModel()
  standing.takeDetail(standing.ask(), aTaskJson({ session_id: 'b', runtime: 'reviewer@shop' }), 0)
  const { state, action } = press(on('b'), char('k'), { ...around, rows: standing.rows() })
  expect([action, state.prompt]).toEqual([null, null])
  expect(state.note?.text).toContain('`holdfast runtime stop reviewer@shop` ends it')
})

test.each([
  ['r', { phase: 'working' }, 'b is at work, and is not started over. Press k to end it first, then r.'],
  ['k', { task_status: 'completed', status: 'COMPLETED', phase: null }, 'b has ended (COMPLETED).'],
] as const)('%s is not asked where it would be refused: %j', (letter, changes, text) => {
  const one = new BoardModel()
  one.takeDetail(one.ask(), aTaskJson({ session_id: 'b', ...changes }), 0)
  const { state, action } = press(on('b'), char(letter), { ...around, rows: one.rows() })
  expect([action, state.prompt, state.note?.text]).toEqual([null, null, text])
})

test('what is pasted into the list does nothing', () => {
  expect(press(on('b'), { kind: 'paste', text: 'ky' }, around)).toMatchObject({
    action: null,
    state: { prompt: null },
  })
})

test('an answer names its question, and its line stays until it was given', () => {
  const question = {
    number: 3,
    question: 'Go?',
    options: [],
    asked_at: '',
    answer_way: 'at_once' as const,
    takes_text: true,
    asked_by: 'agent' as const,
  }
  const line = { parts: ['n', 'o'], at: 2 }
  const state = on('b', { prompt: { kind: 'answer', id: 'b', question, line } })
  const sent = press(state, key('enter'), around)
  expect(sent).toEqual({ state, action: { do: 'answer', id: 'b', number: 3, choice: 'no' } })
  expect(press(state, char('q'), around)).toMatchObject({
    action: null,
    state: { prompt: { line: { at: 3 } } },
  })
})

test('a prompt of several lines can be pasted, and is sent with the same key again', () => {
  const state = on('b', { prompt: { kind: 'send', id: 'b', line: { parts: [], at: 0 }, key: 'once' } })
  const pasted = press(state, { kind: 'paste', text: 'one\ntwo' }, around).state
  const action = { do: 'send', id: 'b', text: 'one\ntwo', key: 'once' }
  expect(press(pasted, key('enter'), around).action).toEqual(action)
  expect(press(pasted, key('enter'), around).action).toEqual(action)
  expect(press(state, key('enter'), around).action).toBeNull()
})

test('the filter works while it is typed; Esc brings the one before back', () => {
  const open = press(on('b', { filter: 'x' }), char('/'), around).state
  const typed = press(open, char('y'), around).state
  expect(typed.filter).toBe('xy')
  expect(press(typed, key('escape'), around).state).toMatchObject({ filter: 'x', prompt: null })
  expect(press(typed, key('enter'), around).state).toMatchObject({ filter: 'xy', prompt: null })
})

test('Esc goes one step back: page, prompt, filter, then it leaves', () => {
  const page = { kind: 'help', id: '', top: 0, isAtEnd: false } as const
  expect(press(on('b', { page }), key('escape'), around)).toMatchObject({
    state: { page: null },
    action: { do: 'close_page' },
  })
  expect(press(on('b', { filter: 'x' }), key('escape'), around)).toMatchObject({
    state: { filter: '' },
    action: null,
  })
  expect(press(on('b'), key('escape'), around).action).toEqual({ do: 'quit' })
  for (const leave of [char('q'), key('ctrl_c')])
    expect(press(on('b'), leave, around).action).toEqual({ do: 'quit' })
})

test('a page is scrolled from what is shown, and End follows again', () => {
  const page = { kind: 'logs', id: 'b', top: 0, isAtEnd: true } as const
  const scroll = (name: KeyName) => press(on('b', { page }), key(name), around).state.page
  expect(scroll('up')).toMatchObject({ top: 4, isAtEnd: false })
  expect(scroll('page_up')).toMatchObject({ top: 0, isAtEnd: false })
  expect(scroll('page_down')).toMatchObject({ top: 25 })
  expect(scroll('end')).toMatchObject({ isAtEnd: true })
})
