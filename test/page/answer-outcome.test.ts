import { expect, test } from 'vitest'
import { outcomeByEvent, outcomeByTask } from '../../web/src/data/orders/answer-outcome.ts'

test.each([
  ['task_question_settled', 'closed'],
  ['task_turn_began', 'closed'],
  ['task_completed', 'closed'],
  ['task_failed', 'ended'],
  ['task_cancelled', 'ended'],
  ['task_removed', 'ended'],
  ['task_requeued', undefined],
] as const)('%s tells of a stored answer: %s', (kind, outcome) => expect(outcomeByEvent(kind)).toBe(outcome))

test('a task tells whether the answer to its question was taken, still waits, or waits for nothing', () => {
  const asks = { task_status: 'waiting_input', questions: [{ number: 2 }] } as const
  expect(outcomeByTask(asks, 2)).toBeUndefined()
  expect(outcomeByTask(asks, 1)).toBe('closed')
  expect(outcomeByTask({ task_status: 'completed', questions: [] }, 1)).toBe('closed')
  expect(outcomeByTask({ ...asks, task_status: 'cancelled' }, 2)).toBe('ended')
  expect(outcomeByTask({ ...asks, task_status: 'failed' }, 2)).toBe('ended')
})
