import { expect, test } from 'vitest'
import { moveTask } from '../../src/changes/move-task.ts'
import { asTaskId } from '../../src/domain/names/ids.ts'
import type { TaskEvent, TaskStatus } from '../../src/domain/task/machine.ts'
import { phaseChange } from '../builders/phases.ts'

const id = asTaskId('t')
const move = (from: TaskStatus, event: TaskEvent) =>
  moveTask({ id, from, ...phaseChange(event), reason: 'why', evidence: [], at: 1 })

test.each([
  ['running', 'requeued'],
  ['running', 'backed_off'],
  ['running', 'parked'],
  ['running', 'waiting_began'],
  ['running', 'verifying'],
  ['waiting_input', 'person_stopped'],
  ['running', 'escalated'],
  ['waiting_input', 'completed'],
  ['running', 'failed'],
  ['pending', 'cancelled'],
] as const)('%s → %s closes what was asked: the run is over', (from, event) => {
  expect(move(from, event).closesQuestions).toBe(true)
})

test.each([
  ['running', 'question_asked'],
  ['running', 'turn_finished'],
  ['running', 'agent_started'],
  ['waiting_input', 'question_settled'],
  ['running', 'stuck_seen'],
] as const)('%s → %s leaves open what was asked', (from, event) => {
  expect(move(from, event).closesQuestions).toBe(false)
})

test('only a new turn voids the result of the last one', () => {
  expect(move('running', 'turn_began').voidsResult).toBe(true)
  expect(move('running', 'turn_finished').voidsResult).toBe(false)
})

test.each([
  ['running', 'completed'],
  ['running', 'failed'],
  ['pending', 'cancelled'],
  ['running', 'question_asked'],
  ['running', 'escalated'],
] as const)('%s → %s is told to the parent', (from, event) => {
  expect(move(from, event).tellsParent).toBe(event)
})

test.each([
  ['pending', 'launched'],
  ['running', 'turn_finished'],
  ['waiting_input', 'person_stopped'],
  ['running', 'requeued'],
] as const)('%s → %s is not', (from, event) => {
  expect(move(from, event).tellsParent).toBe(null)
})

test.each([
  ['running', 'completed', 'give_up'],
  ['pending', 'cancelled', 'give_up'],
  ['failed', 'reopened', 'queue_again'],
  ['running', 'requeued', 'leave'],
] as const)('%s → %s: prompts that wait: %s', (from, event, wanted) => {
  expect(move(from, event).waitingPrompts).toBe(wanted)
})
