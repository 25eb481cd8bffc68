import { expect, test } from 'vitest'
import { isUnderWay, mayBeForced, stepMark } from '../../web/src/words/trigger.ts'

test('a step that failed is marked so; one after which the prompt may not have arrived is doubtful', () => {
  expect(stepMark({ state: 'failed' })).toBe('failed')
  for (const state of ['unconfirmed', 'deferred', 'fallen_back'] as const)
    expect(stepMark({ state }), state).toBe('doubtful')
  for (const state of ['queued', 'typed', 'submitted', 'acknowledged', 'done'] as const)
    expect(stepMark({ state }), state).toBe('well')
})

test('only a prompt that waits because of a person’s keys is offered to be typed at once', () => {
  const waits = { state: 'queued', code: null, forced_by: null, kept_back: null } as const
  expect(mayBeForced({ ...waits, kept_back: { reason: 'person_types' } })).toBe(true)
  expect(mayBeForced({ ...waits, state: 'deferred', code: 'DEFER_TIMEOUT' })).toBe(true)
  expect(mayBeForced(waits)).toBe(false)
  expect(mayBeForced({ ...waits, kept_back: { reason: 'at_work' } })).toBe(false)
  expect(mayBeForced({ ...waits, state: 'deferred', code: 'TRIGGER_RATE_LIMITED' })).toBe(false)
  expect(mayBeForced({ ...waits, state: 'submitted', code: 'OPERATOR_BUSY' })).toBe(false)
  expect(mayBeForced({ ...waits, kept_back: { reason: 'person_types' }, forced_by: 'ada' })).toBe(false)
})

test('what its agent does tells what becomes of a prompt that is with it, and not of one that waits, failed or is done', () => {
  const states = [
    'queued',
    'deferred',
    'typed',
    'submitted',
    'acknowledged',
    'unconfirmed',
    'fallen_back',
  ] as const
  expect(states.filter((state) => isUnderWay({ state }))).toEqual(states.slice(2))
  expect(isUnderWay({ state: 'done' }) || isUnderWay({ state: 'failed' })).toBe(false)
})
