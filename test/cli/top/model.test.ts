import fc from 'fast-check'
import { expect, test } from 'vitest'
import { BoardModel } from '../../../src/cli/top/model/board-model.ts'
import { filtered } from '../../../src/cli/top/model/filter.ts'
import { isToBeLookedAt } from '../../../src/cli/top/model/is-to-be-looked-at.ts'
import { sectionOf } from '../../../src/cli/top/model/sections.ts'
import { serverClock } from '../../../src/cli/top/model/server-clock.ts'
import type { TaskDetailJson } from '../../../src/protocol/json/task-json.ts'
import { aTaskJson } from '../../builders/task-json.ts'

const task = (id: string, changes: Partial<TaskDetailJson> = {}) => aTaskJson({ session_id: id, ...changes })
const done = { task_status: 'completed', status: 'COMPLETED', phase: null } as const
const asks = { task_status: 'waiting_input', phase: 'asking' } as const
const question = (asked_at: string) => ({
  number: 1,
  question: 'Go on?',
  options: [],
  asked_at,
  answer_way: 'at_once' as const,
  takes_text: true,
  asked_by: 'agent' as const,
})

test('what needs a person comes first, then work, then what waits, then what is done', () => {
  const model = new BoardModel()
  const asked = model.ask()
  const all = [
    task('1-done', done),
    task('2-idle', { phase: 'idle' }),
    task('3-works'),
    task('4-asks-later', { ...asks, questions: [question('2025-11-18T15:40:00Z')] }),
    task('5-asks-first', { ...asks, questions: [question('2025-11-18T15:30:00Z')] }),
    task('6-queued', { task_status: 'pending', status: 'CREATED', phase: 'queued' }),
    task('7-limit', { phase: 'parked', waits_for: 'limit' }),
  ]
  for (const one of all) model.takeDetail(asked, one, 0)
  expect(model.rows().map(({ row }) => row.session_id)).toEqual([
    '5-asks-first',
    '4-asks-later',
    '3-works',
    '7-limit',
    '6-queued',
    '2-idle',
    '1-done',
  ])
})

const SILENT = { node_id: 'node-b', host: 'den', silent_since: '2025-11-18T15:30:42Z' }

test.each([
  [{ task_status: 'running', phase: 'stuck' }, 'at_work'],
  [{ task_status: 'waiting_input', phase: 'stuck' }, 'needs_you'],
  [{ task_status: 'waiting_input', phase: 'stopped_by_person' }, 'needs_you'],
  [{ task_status: 'waiting_input', phase: 'asking', stopping: 'killed' }, 'at_work'],
  [{ task_status: 'running', phase: 'working', waits_for: 'tmux' }, 'waiting'],
  [{ task_status: 'running', phase: 'working', elsewhere: SILENT }, 'waiting'],
  [{ task_status: 'failed', phase: null, elsewhere: SILENT }, 'done'],
  [{ task_status: 'failed', phase: null }, 'done'],
] as const)('%j is %s', (changes, section) => {
  expect(sectionOf(aTaskJson(changes))).toBe(section)
})

test('an answer that was asked for earlier never replaces one that was asked for later', () => {
  const model = new BoardModel()
  const early = model.ask()
  const late = model.ask()
  model.takeDetail(late, task('a', { reason: 'new' }), 0)
  model.takeDetail(early, task('a', { reason: 'old' }), 0)
  model.take(early, task('a', { phase: 'idle' }), 0)
  expect(model.get('a')).toMatchObject({ row: { phase: 'working' }, detail: { reason: 'new' } })
  model.takeGone(late, 'b')
  model.takeDetail(early, task('b'), 0)
  expect(model.get('b')).toBeUndefined()
})

test('an event is settled only by an answer that was asked for after it', () => {
  const model = new BoardModel()
  const before = model.ask()
  model.hear('a')
  model.takeDetail(before, task('a'), 0)
  expect(model.stale()).toEqual(['a'])
  model.takeDetail(model.ask(), task('a'), 0)
  expect(model.stale()).toEqual([])
})

test('whatever the order in which answers come, the board ends with the newest state and nothing to ask', () => {
  const step = fc.record({ id: fc.constantFrom('a', 'b', 'c'), delay: fc.nat({ max: 5 }) })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), (changes) => {
      const model = new BoardModel()
      const real = new Map<string, string>()
      const coming: { at: number; asked: number; id: string; reason: string }[] = []
      const arrive = (until: number) => {
        for (const one of coming.filter(({ at }) => at <= until)) {
          coming.splice(coming.indexOf(one), 1)
          model.takeDetail(one.asked, task(one.id, { reason: one.reason }), 0)
        }
      }
      changes.forEach(({ id, delay }, now) => {
        real.set(id, `change ${now}`)
        model.hear(id)
        coming.push({ at: now + delay, asked: model.ask(), id, reason: real.get(id)! })
        arrive(now)
      })
      arrive(Number.POSITIVE_INFINITY)
      expect(model.stale()).toEqual([])
      for (const [id, reason] of real) expect(model.get(id)?.detail?.reason).toBe(reason)
    }),
  )
})

test('a session that is no longer in the list is asked for, and stays until somebody knows that it is gone', () => {
  const model = new BoardModel()
  model.takeDetail(model.ask(), task('a'), 0)
  model.takeDetail(model.ask(), task('z', done), 0)
  model.takeList(model.ask(), new Set(), null, false)
  expect(model.stale()).toEqual(['a'])
  expect(model.get('a')).toBeDefined()
  model.takeList(model.ask(), new Set(), null, true)
  expect(model.stale().sort()).toEqual(['a', 'z'])
  model.takeGone(model.ask(), 'a')
  model.takeDetail(model.ask(), task('z', { ...done, archived_at: '2025-11-18T16:00:00Z' }), 0)
  expect(model.rows()).toEqual([])
})

test('the number of ended sessions follows the list and what ends after it', () => {
  const model = new BoardModel()
  const asked = model.ask()
  model.take(asked, task('a'), 0)
  const totals = { total: 9, created: 0, running: 1, asking: 0, completed: 5, failed: 2, killed: 1 }
  model.takeList(asked, new Set(['a']), totals, false)
  expect(model.ended).toBe(8)
  model.takeDetail(model.ask(), task('a', done), 0)
  expect(model.ended).toBe(9)
})

test('a filter takes the rows that have all of its words, in any field', () => {
  const model = new BoardModel()
  model.takeDetail(model.ask(), task('1-login', { title: 'Fix the login' }), 0)
  model.takeDetail(model.ask(), task('2-docs', { title: 'Write docs', ...done }), 0)
  const ids = (filter: string) => filtered(model.rows(), filter).map(({ row }) => row.session_id)
  expect(ids('LOGIN fix')).toEqual(['1-login'])
  expect(ids('done')).toEqual(['2-docs'])
  expect(ids('login docs')).toEqual([])
  expect(ids('  ')).toEqual(['1-login', '2-docs'])
})

test('time is the daemon’s, whatever our own clock shows', () => {
  const clock = serverClock(
    () => 0,
    () => 500,
  )
  expect(clock.now(500)).toBe(0)
  clock.hearOf(aTaskJson({ started_at: '2025-11-18T15:30:00Z', elapsed_seconds: 60 }), 1_000)
  expect(clock.now(2_000)).toBe(Date.parse('2025-11-18T15:31:01Z'))
  clock.hear(Date.parse('2025-11-18T16:00:00Z'), 3_000)
  expect(clock.now(4_500)).toBe(Date.parse('2025-11-18T16:00:01.500Z'))
})

test('the selected session is looked at again after a while, also when lists came meanwhile, and not when it has ended', () => {
  const model = new BoardModel()
  const { session_id: id } = aTaskJson()
  const isDue = (now: number) => isToBeLookedAt(model.get(id), now)
  expect(isDue(0)).toBe(false)
  model.take(model.ask(), aTaskJson(), 1_000)
  expect(isDue(1_000)).toBe(true)
  model.takeDetail(model.ask(), aTaskJson(), 2_000)
  model.take(model.ask(), aTaskJson(), 6_000)
  expect([isDue(6_999), isDue(7_000)]).toEqual([false, true])
  model.takeDetail(model.ask(), aTaskJson({ task_status: 'completed', phase: null }), 8_000)
  expect(isDue(99_000)).toBe(false)
})
