import { expect, test } from 'vitest'
import type { EventKind, JournalEvent } from '../../src/domain/journal/events.ts'
import { asNodeId } from '../../src/domain/names/ids.ts'
import { channelsFor, type NoticeRule } from '../../src/domain/notify/rules.ts'
import type { StopOrder } from '../../src/domain/task/task.ts'
import { happenedAround, happenedTo } from '../../src/notify/what-happened.ts'
import { NOON, TASK_ID } from '../builders/ids.ts'
import { aQuestion } from '../builders/question.ts'
import { aTask } from '../builders/task.ts'

const event = (kind: EventKind, data: object = { reason: 'because' }) =>
  ({ kind, data, at: NOON, taskId: TASK_ID, seq: 7, nodeId: asNodeId('node-1') }) as JournalEvent
const kindsOf = (kind: EventKind, task = aTask()) => happenedTo(event(kind), task, []).map((one) => one.kind)

test.each([
  ['task_completed', 'completion'],
  ['task_failed', 'failure'],
  ['task_parked', 'limit'],
  ['task_stuck_seen', 'stuck'],
  ['task_escalated', 'escalation'],
  ['escalation', 'escalation'],
  ['task_turn_finished', 'progress'],
  ['task_launched', 'progress'],
] as const)('%s is told as %s', (kind, told) => {
  expect(kindsOf(kind)).toEqual([told])
})

test('a task that a person ended is told to nobody, one that a limit ended is', () => {
  const stoppedBy = (kind: StopOrder['kind']) =>
    aTask({ stop: { kind, by: 'ada', reason: 'because', at: NOON } })
  expect(kindsOf('task_cancelled', stoppedBy('kill'))).toEqual([])
  expect(kindsOf('task_cancelled', stoppedBy('timeout'))).toEqual(['failure'])
  expect(kindsOf('task_cancelled', stoppedBy('budget'))).toEqual(['failure'])
})

test('two events of one commit that tell the same have one key', () => {
  const [moved] = happenedTo(event('task_failed'), aTask(), [])
  const [told] = happenedTo(event('escalation'), aTask(), [])
  expect(told?.key).toBe(moved?.key)
})

test('an escalation that asks something is told with its question, under the key of that question', () => {
  const question = aQuestion({ askedAt: NOON })
  const [escalated] = happenedTo(event('task_escalated'), aTask(), [question])
  const [asked] = happenedTo(event('task_question_asked'), aTask(), [question])
  expect(escalated).toMatchObject({ kind: 'escalation', question })
  expect(escalated?.key).toBe(asked?.key)
})

test('a question that waited behind another one is told when that one is answered', () => {
  const [one, two] = [aQuestion({ number: 1, answer: 'yes' }), aQuestion({ number: 2 })]
  expect(happenedTo(event('question_answered', { number: 1, by: 'ada' }), aTask(), [one, two])).toMatchObject(
    [{ kind: 'question', question: two }],
  )
})

test.each([
  [
    'event_set_aside',
    { subscriber: 'unread', event: { node: 'a', seq: 3, kind: 'message_posted', task: TASK_ID }, why: 'no' },
    `Holdfast (unread) could not handle the event message_posted of ${TASK_ID} and set it aside: no. Later events of the same session wait behind it.`,
  ],
  [
    'subscriber_missed_events',
    { subscriber: 'unread', missed: 3 },
    'Holdfast (unread) missed 3 events: they were deleted before it had handled them. It goes on with those that are kept.',
  ],
  [
    'pruning_held',
    { subscribers: ['unread', 'traces'] },
    'Old events are kept, because Holdfast (unread, traces) has not handled them yet. They are deleted in the end even so.',
  ],
] as const)('of a journal in trouble people are told: %s', (kind, data, reason) => {
  expect(happenedAround({ ...event(kind, data), taskId: null })).toMatchObject({ kind: 'escalation', reason })
})

test('a blocked thread, and tmux that is left down, need a person', () => {
  expect(happenedAround(event('thread_blocked', { thread: 't', code: 'c', why: 'in circles' }))?.reason).toBe(
    'Thread t is blocked: in circles',
  )
  expect(happenedAround(event('server_given_up', { deaths: 3, retryAt: 0 }))?.kind).toBe('escalation')
  expect(happenedAround(event('server_started', {}))).toBeUndefined()
})

const rule = (changes: Partial<NoticeRule>): NoticeRule => ({
  events: ['completion', 'question'],
  tags: [],
  roles: [],
  channels: [],
  children: false,
  ...changes,
})
const about = { tags: ['night'], role: 'reviewer', isChild: false }

test('without rules every channel is told all but progress', () => {
  expect(channelsFor('failure', about, [], ['a', 'b'])).toEqual(['a', 'b'])
  expect(channelsFor('progress', about, [], ['a', 'b'])).toEqual([])
})

test('a rule is for events, tags and roles; several rules add up, and each channel is told once', () => {
  const rules = [
    rule({ tags: ['night'], channels: ['a'] }),
    rule({ roles: ['writer'], channels: ['b'] }),
    rule({ roles: ['reviewer'], channels: ['a', 'c'] }),
  ]
  expect(channelsFor('question', about, rules, ['a', 'b', 'c'])).toEqual(['a', 'c'])
  expect(channelsFor('failure', about, rules, ['a', 'b', 'c'])).toEqual([])
  expect(channelsFor('question', { ...about, tags: [], role: null }, rules, ['a', 'b', 'c'])).toEqual([])
})

test('ends of tasks that other tasks started are told only where a rule asks for them; their questions always', () => {
  const child = { ...about, isChild: true }
  expect(channelsFor('completion', child, [], ['a'])).toEqual([])
  expect(channelsFor('question', child, [], ['a'])).toEqual(['a'])
  expect(channelsFor('completion', child, [rule({ children: true })], ['a'])).toEqual(['a'])
})

test('what concerns no task is told by rules for no tag and no role', () => {
  const any = rule({ events: ['escalation'] })
  expect(channelsFor('escalation', null, [any], ['a'])).toEqual(['a'])
  expect(channelsFor('escalation', null, [{ ...any, tags: ['night'] }], ['a'])).toEqual([])
})
