import { expect, test } from 'vitest'
import { otherChecks, withClock } from '../../../src/domain/task/session-state.ts'
import { ended, inPhase } from '../../builders/phases.ts'
import { aQuestion } from '../../builders/question.ts'
import { aTask } from '../../builders/task.ts'

const called = [
  [inPhase.queued(), 'just_started'],
  [inPhase.starting(), 'just_started'],
  [inPhase.working(), 'in_progress'],
  [inPhase.idle(), 'idle'],
  [inPhase.parked(), 'in_progress'],
  [inPhase.stuck(), 'stuck'],
  [inPhase.escalated(), 'stuck'],
  [ended.completed(), 'completed'],
  [ended.failed(), 'crashed'],
] as const
test.each(called.map(([standing, word]) => [standing.status, standing.phase, word, standing] as const))(
  'a task that is %s, %s is called %s',
  (_status, _phase, word, standing) => {
    expect(otherChecks(aTask(standing), [], false)).toBe(word)
  },
)

test('who asks needs input, until the answer is given', () => {
  const asking = aTask(inPhase.asking())
  expect(otherChecks(asking, [aQuestion()], false)).toBe('needs_input')
  expect(otherChecks(asking, [aQuestion({ answer: 'Yes' })], false)).toBe('in_progress')
})

test('one that is silent for too long is stuck; one that has ended is not', () => {
  expect(otherChecks(aTask(), [], true)).toBe('stuck')
  expect(otherChecks(aTask(ended.completed()), [], true)).toBe('completed')
})

test('the clock has the last word on stuck, and on nothing else', () => {
  expect(withClock('stuck', '10:00:00', '10:01:00')).toBe('just_started')
  expect(withClock('stuck', '10:00:00', '10:00:00')).toBe('stuck')
  expect(withClock('in_progress', '10:00:00', '10:00:00')).toBe('in_progress')
  expect(withClock('completed', null, '10:00:00')).toBe('completed')
})
