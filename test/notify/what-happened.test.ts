import { expect, test } from 'vitest'
import { parseCommand } from '../../src/cli/parse-command.ts'
import type { EventKind, JournalEvent } from '../../src/domain/journal/events.ts'
import { asNodeId } from '../../src/domain/names/ids.ts'
import { channelsFor, type NoticeRule } from '../../src/domain/notify/rules.ts'
import type { StopOrder } from '../../src/domain/task/task.ts'
import { fitted } from '../../src/notify/layout.ts'
import { happenedAround, happenedTo, type Known } from '../../src/notify/what-happened.ts'
import { wordsOf } from '../../src/notify/words.ts'
import { NOON, TASK_ID } from '../builders/ids.ts'
import { inPhase } from '../builders/phases.ts'
import { aQuestion } from '../builders/question.ts'
import { aRun } from '../builders/run.ts'
import { aTask } from '../builders/task.ts'

const event = (kind: EventKind, data: object = { reason: 'because' }) =>
  ({ kind, data, at: NOON, taskId: TASK_ID, seq: 7, nodeId: asNodeId('node-1') }) as JournalEvent
const KNOWN: Known = { open: [], runs: [], phaseBefore: null }
const kindsOf = (kind: EventKind, task = aTask()) =>
  happenedTo(event(kind), task, KNOWN).map((one) => one.kind)

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

const parkedAt = (gate: string | null) => aTask(inPhase.parked({ until: NOON + 60_000, gate }))

test.each([
  ['limit:account', 'limit', 'waits for the end of a usage limit'],
  [null, 'limit', 'waits for the end of a usage limit'],
  ['environment', 'escalation', 'waits because the machine or the network fails'],
  ['breaker:account', 'escalation', 'waits'],
])('a task that waits behind the gate %s is told as %s: it %s', (gate, kind, does) => {
  expect(happenedTo(event('task_parked'), parkedAt(gate), KNOWN)).toMatchObject([
    { kind, does, until: NOON + 60_000 },
  ])
})

test.each([
  ['environment', 'escalation'],
  ['limit', 'limit'],
  ['crash', 'escalation'],
] as const)('of a task that waits no more, its last failure tells what held it back: %s', (failure, kind) => {
  const known = { ...KNOWN, runs: [aRun({ failure })] }
  expect(happenedTo(event('task_parked'), aTask(), known)).toMatchObject([{ kind }])
})

test('a task whose gate has opened, and that waits for its turn, is a step and no limit', () => {
  const known = { ...KNOWN, phaseBefore: 'parked' as const }
  expect(happenedTo(event('task_parked'), parkedAt(null), known)).toMatchObject([
    { kind: 'progress', does: 'goes on soon' },
  ])
})

test('a task that a person ended is told to nobody, one that a limit ended is', () => {
  const stoppedBy = (kind: StopOrder['kind']) =>
    aTask({ stop: { kind, by: 'ada', reason: 'because', at: NOON } })
  expect(kindsOf('task_cancelled', stoppedBy('kill'))).toEqual([])
  expect(kindsOf('task_cancelled', stoppedBy('timeout'))).toEqual(['failure'])
  expect(kindsOf('task_cancelled', stoppedBy('budget'))).toEqual(['failure'])
})

test('two events of one commit that tell the same have one key', () => {
  const [moved] = happenedTo(event('task_failed'), aTask(), KNOWN)
  const [told] = happenedTo(event('escalation'), aTask(), KNOWN)
  expect(told?.key).toBe(moved?.key)
})

test('an escalation that asks something is told with its question, under the key of that question', () => {
  const question = aQuestion({ askedAt: NOON })
  const [escalated] = happenedTo(event('task_escalated'), aTask(), { ...KNOWN, open: [question] })
  const [asked] = happenedTo(event('task_question_asked'), aTask(), { ...KNOWN, open: [question] })
  expect(escalated).toMatchObject({ kind: 'escalation', question })
  expect(escalated?.key).toBe(asked?.key)
})

test('a question that waited behind another one is told when that one is answered', () => {
  const [one, two] = [aQuestion({ number: 1, answer: 'yes' }), aQuestion({ number: 2 })]
  const answered = event('question_answered', { number: 1, by: 'ada' })
  expect(happenedTo(answered, aTask(), { ...KNOWN, open: [one, two] })).toMatchObject([
    { kind: 'question', question: two },
  ])
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
  expect(happenedAround(event('server_given_up', { deaths: 3, retryAt: 7 }))).toMatchObject({
    kind: 'escalation',
    until: 7,
  })
  expect(happenedAround(event('server_started', {}))).toBeUndefined()
})

test.each([
  [
    'thread_blocked',
    { thread: 'th_1', code: 'c', why: 'in circles' },
    ['Read it: holdfast thread show th_1', 'Let it go on: holdfast thread continue th_1'],
  ],
  [
    'event_set_aside',
    { subscriber: 'unread', event: { node: 'a', seq: 3, kind: 'message_posted', task: null }, why: 'no' },
    ['Look: holdfast journal show', 'Try again: holdfast journal retry'],
  ],
  ['subscriber_missed_events', { subscriber: 'unread', missed: 3 }, ['Look: holdfast journal show']],
  ['pruning_held', { subscribers: ['unread'] }, ['Look: holdfast journal show']],
  ['server_given_up', { deaths: 3, retryAt: NOON }, ['Look: holdfast doctor']],
  [
    'quota_warning_total',
    { bytes: 1, warn_at: 1 },
    ['Remove what ended long ago: holdfast prune --older-than 30d'],
  ],
] as const)('%s is told with commands that can be given', (kind, data, commands) => {
  const happened = happenedAround({ ...event(kind, data), taskId: null })
  const lines = wordsOf(happened!).text.split('\n')
  expect(lines.filter((line) => line.includes(': holdfast '))).toEqual(commands)
  for (const line of commands)
    expect(() => parseCommand(line.slice(line.indexOf(': holdfast ') + 11).split(' '))).not.toThrow()
})

test('where there is little room, the command of what concerns no session stays', () => {
  const why = `${'a long story '.repeat(60)}of circles`
  const words = wordsOf(happenedAround(event('thread_blocked', { thread: 'th_1', code: 'c', why }))!)
  const room = { size: 600, each: 600, counting: 'letters', perNotice: 0, perButton: 0 } as const
  const shown = fitted(words, { ...room, notices: 9, inFull: 9, buttons: 9 })
  expect(shown).toMatch(/\nLet it go on: holdfast thread continue th_1$/)
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
