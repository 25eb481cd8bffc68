import { expect, test } from 'vitest'
import { stepMark } from '../../web/src/words/trigger.ts'

test('a step that failed is marked so; one after which the prompt may not have arrived is doubtful', () => {
  expect(stepMark({ state: 'failed' })).toBe('failed')
  for (const state of ['unconfirmed', 'deferred', 'fallen_back'] as const)
    expect(stepMark({ state }), state).toBe('doubtful')
  for (const state of ['queued', 'typed', 'submitted', 'acknowledged', 'done'] as const)
    expect(stepMark({ state }), state).toBe('well')
})
