import { expect, test } from 'vitest'
import type { Stood } from '../../../src/domain/task/final-state.ts'
import { otherChecks, withClock } from '../../../src/domain/task/session-state.ts'
import { aQuestion } from '../../builders/question.ts'

const task = (changes: Partial<Stood>): Stood => ({
  status: 'running',
  phase: 'working',
  reason: null,
  startedAt: 1,
  stop: null,
  restart: null,
  verification: null,
  ...changes,
})

test.each([
  ['pending', 'queued', 'just_started'],
  ['running', 'starting', 'just_started'],
  ['running', 'working', 'in_progress'],
  ['running', 'idle', 'idle'],
  ['running', 'parked', 'in_progress'],
  ['running', 'stuck', 'stuck'],
  ['waiting_input', 'stuck', 'stuck'],
  ['completed', null, 'completed'],
  ['failed', null, 'crashed'],
] as const)('a task that is %s, %s is called %s', (status, phase, word) => {
  expect(otherChecks(task({ status, phase }), [], false)).toBe(word)
})

test('who asks needs input, until the answer is given', () => {
  const asking = task({ status: 'waiting_input', phase: 'asking' })
  expect(otherChecks(asking, [aQuestion()], false)).toBe('needs_input')
  expect(otherChecks(asking, [aQuestion({ answer: 'Yes' })], false)).toBe('in_progress')
})

test('one that is silent for too long is stuck; one that has ended is not', () => {
  expect(otherChecks(task({}), [], true)).toBe('stuck')
  expect(otherChecks(task({ status: 'completed', phase: null }), [], true)).toBe('completed')
})

test('the clock has the last word on stuck, and on nothing else', () => {
  expect(withClock('stuck', '10:00:00', '10:01:00')).toBe('just_started')
  expect(withClock('stuck', '10:00:00', '10:00:00')).toBe('stuck')
  expect(withClock('in_progress', '10:00:00', '10:00:00')).toBe('in_progress')
  expect(withClock('completed', null, '10:00:00')).toBe('completed')
})
