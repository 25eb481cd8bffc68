import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  nextTrigger,
  type StateBefore,
  TRIGGER_STATES,
  type TriggerEvent,
  triggerTransitions,
} from '../../../src/domain/trigger/machine.ts'

const EVENTS = [
  ...new Set(Object.values(triggerTransitions).flatMap((row) => Object.keys(row))),
] as TriggerEvent[]

test('every state can be reached, and the end of the turn is the only last one', () => {
  const reached = new Set<StateBefore>(['new'])
  for (const state of reached) for (const to of Object.values(triggerTransitions[state])) reached.add(to)
  expect(reached).toEqual(new Set(['new', ...TRIGGER_STATES]))
  expect(TRIGGER_STATES.filter((state) => Object.keys(triggerTransitions[state]).length === 0)).toEqual([
    'done',
  ])
})

test('whatever happens: it is with the agent only after it was typed, and done only after it was with the agent', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...EVENTS), { maxLength: 60 }), (events) => {
      let state: StateBefore = 'new'
      const story: StateBefore[] = []
      for (const event of events) {
        state = nextTrigger(state, event) ?? state
        story.push(state)
      }
      const first = (one: StateBefore) => story.indexOf(one)
      const sinceSaid = story.lastIndexOf('typed')
      if (first('submitted') >= 0 || first('acknowledged') >= 0)
        expect(first('typed')).toBeGreaterThanOrEqual(0)
      if (state === 'acknowledged' || state === 'submitted') {
        // It was not put back into a queue since it was typed.
        const since = story.slice(sinceSaid)
        expect(since.some((one) => ['queued', 'deferred', 'fallen_back', 'failed'].includes(one))).toBe(false)
      }
      if (state === 'done') expect(story.slice(first('done')).every((one) => one === 'done')).toBe(true)
    }),
    { numRuns: 5000 },
  )
})
