// What the palette offers for a task: what its buttons offer, no answer to a question that nobody has read, and a prompt.
import { expect, test } from 'vitest'
import type { QuestionJson, TaskDetailJson } from '../../src/protocol/json/task-json.ts'
import { offeredHere } from '../../web/src/shell/palette/offered-here.ts'
import { ordersFor } from '../../web/src/words/offered.ts'
import { aNext, aTaskJson } from '../builders/task-json.ts'

const works = aTaskJson({ agent_session_id: 'a-session' })
const ended = aTaskJson({ task_status: 'completed', phase: null })
const orders = (task: TaskDetailJson) =>
  ordersFor(task).map(({ words, asks }) => (asks === undefined ? words : `${words}?`))

test.each<[string, TaskDetailJson, string[]]>([
  ['works', works, ['Take over?', 'Kill?']],
  ['works in a terminal', { ...works, mode: 'interactive' }, ['Hand back', 'Kill?']],
  ['waits in the queue', { ...works, task_status: 'pending', phase: 'queued' }, ['Kill?']],
  ['is parked', { ...works, phase: 'parked' }, ['Go on now', 'Take over?', 'Kill?']],
  ['is at rest', { ...works, phase: 'idle' }, ['Finish', 'Take over?', 'Kill?']],
  [
    'was stopped by a person',
    { ...works, phase: 'stopped_by_person', next: aNext({ kind: 'awaits_person', what: 'yours' }) },
    ['Resume', 'Take over?', 'Kill?'],
  ],
  ['has ended', ended, ['Resume', 'Retry?', 'Archive']],
  ['is in the archive', { ...ended, archived_at: '2025-11-18T16:00:00Z' }, ['Resume', 'Retry?']],
  ['is a runtime', { ...works, mode: 'interactive', runtime: 'writer@shop' }, []],
  ['is a runtime behind a limit', { ...works, phase: 'parked', runtime: 'writer@shop' }, ['Go on now']],
  ['is a runtime that is stopped', { ...ended, runtime: 'writer@shop' }, []],
])('a task that %s can be ordered so; those with ? ask first', (_, task, expected) =>
  expect(orders(task)).toEqual(expected),
)

const question: QuestionJson = {
  number: 3,
  question: 'Go?',
  options: ['yes', 'no'],
  asked_by: 'agent',
  asked_at: '2025-11-18T15:31:00Z',
  answer_way: 'at_once',
  takes_text: false,
}
const asks = (changes: Partial<QuestionJson> = {}) =>
  aTaskJson({
    task_status: 'waiting_input',
    phase: 'asking',
    questions: [{ ...question, ...changes }],
    next: aNext({ kind: 'awaits_answer', what: 'an answer' }),
  })
const SEEN = { seen: new Set([3]), isItsScreen: true }
const words = (task: TaskDetailJson, awaits = () => true) =>
  offeredHere(task, SEEN, awaits).map((here) => here.words)

test('options of a question that can be read are offered first, by their numbers', () =>
  expect(words(asks())).toEqual(['Answer 1: yes', 'Answer 2: no', 'Kill']))

test('what Holdfast asks is offered by its ways on, of which the one that ends the task asks first', () => {
  const own = asks({ asked_by: 'holdfast', options: ['retry', 'close'] })
  const offered = offeredHere(own, SEEN, () => true)
  expect(offered.map((here) => [here.words, 'offered' in here && here.offered.asks?.title])).toEqual([
    ['Retry', undefined],
    ['Close', 'Close “Check the dashboards”?'],
    ['Kill', 'Kill “Check the dashboards”?'],
  ])
})

test('where no answer reaches the agent, the ways out are offered instead of options', () =>
  expect(words(asks({ answer_way: 'none' }))).toEqual(['Retry with context', 'Close', 'Kill']))

test('a question that cannot be read here is not answered here: the way to it is offered', () => {
  const offered = offeredHere(asks(), { seen: new Set(), isItsScreen: false }, () => true)
  expect(offered[0]).toEqual({
    id: 'read',
    words: 'Answer what it asks',
    path: '/tasks/20251118-153042-grafana-validator',
  })
  expect(offered.map((here) => here.words)).toEqual(['Answer what it asks', 'Kill'])
})

test('an answer that is on its way, from here or from elsewhere, is not given twice', () => {
  expect(words(asks(), () => false)).toEqual(['Kill'])
  const taken = { ...asks(), next: aNext({ kind: 'takes_answer', what: 'it is typed' }) }
  expect(words(taken)).toEqual(['Kill'])
})

test('a prompt is written on the task’s own screen, where it has a key of its own', () => {
  const hears = { ...works, takes_prompts: true }
  expect(words(hears)).not.toContain('Send a prompt')
  expect(offeredHere(hears, { seen: new Set(), isItsScreen: false }, () => true)[0]).toEqual({
    id: 'prompt',
    words: 'Send a prompt',
    path: '/tasks/20251118-153042-grafana-validator#send',
  })
})
