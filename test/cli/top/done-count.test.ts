// How many sessions are done, as the first line of the board tells it.
import { expect, test } from 'vitest'
import { BoardModel } from '../../../src/cli/top/model/board-model.ts'
import { aTaskJson } from '../../builders/task-json.ts'
import { waitFor } from '../../helpers/wait-for.ts'
import { listening } from './listening.ts'

const done = { task_status: 'completed', status: 'COMPLETED', phase: null } as const

test.each([
  ['task_archived', 'on the board', 'gone'],
  ['task_removed', 'on the board', 'gone'],
  ['task_removed', 'not on the board', 'new'],
])('after %s a session that was done, %s, is not counted any more', async (kind, _where, id) => {
  const { model, tell, tasks, totals } = await listening({ a: {}, gone: done })
  totals.completed = 5
  tell('server_started', {})
  await waitFor('the totals', () => model.ended === 5)
  delete tasks.gone
  totals.completed = 4
  tell(kind, { task: id })
  await waitFor('one less', () => model.ended === 4)
})

test('a session that was done before the board first saw it is counted', async () => {
  const { model, tell, tasks, totals } = await listening({ a: {} })
  expect(model.ended).toBe(0)
  tasks.new = done
  totals.completed = 1
  tell('task_created', { task: 'new' })
  await waitFor('it', () => model.get('new') !== undefined)
  await waitFor('the number', () => model.ended === 1)
})

test('after task_reopened a session that was done, not on the board, is not counted any more', async () => {
  const { model, tell, tasks, totals } = await listening({ a: {} })
  totals.completed = 5
  tell('server_started', {})
  await waitFor('the totals', () => model.ended === 5)
  tasks.new = {}
  totals.completed = 4
  tell('task_reopened', { task: 'new' })
  await waitFor('one less', () => model.ended === 4)
})

test('a session that ended while events were missed is not counted twice', () => {
  const model = new BoardModel()
  const first = model.ask()
  model.take(first, aTaskJson({ session_id: 'a' }), 0)
  const totals = { total: 9, created: 0, running: 1, asking: 0, completed: 8, failed: 0, killed: 0 }
  model.takeList(first, new Set(['a']), totals, true)
  model.takeList(model.ask(), new Set(), { ...totals, running: 0, completed: 9 }, true)
  expect(model.isCountSure).toBe(true)
  model.takeDetail(model.ask(), aTaskJson({ session_id: 'a', ...done }), 0)
  expect([model.ended, model.isCountSure]).toEqual([9, false])
})
