import { expect, test } from 'vitest'
import type { TaskEvent } from '../../../src/domain/task/machine.ts'
import type { Transition } from '../../../src/ports/store/tasks.ts'
import { lastTurnEvidence } from '../../../src/supervisor/watching/last-turn-evidence.ts'

const FINISHED = 'its last turn had finished'
const CUT = 'its last turn was cut short; it waits for your next prompt'
const CUT_IN_0_1_0 = 'its last turn was cut short; there is nothing to say to it'

const story = (...events: (TaskEvent | [TaskEvent, string])[]): Transition[] =>
  events.map((one) => {
    const [event, fact] = typeof one === 'string' ? [one, ''] : one
    return { event, evidence: [{ source: 'store', fact }] } as unknown as Transition
  })

const back = ['requeued', 'launched', 'agent_started'] as const

test.each([
  ['idle, then its terminal died', story('launched', 'agent_started', 'turn_finished', ...back), FINISHED],
  ['taken over in the middle of a tool', story('launched', 'agent_started', ...back), CUT],
  ['killed in its second turn', story('agent_started', 'turn_finished', 'turn_began', ...back), CUT],
  ['stopped by a person in its turn', story('agent_started', 'person_stopped', ...back), CUT],
  ['ended while it asked', story('agent_started', 'question_asked', ...back), CUT],
  ['resting after a cut turn', story('agent_started', ['turn_finished', CUT], ...back), CUT],
  [
    'resting after a cut turn, as an earlier version stored it',
    story('agent_started', ['turn_finished', CUT_IN_0_1_0], ...back),
    CUT,
  ],
  [
    'cut short, and finished a later turn',
    story(['turn_finished', CUT], 'turn_began', 'turn_finished', ...back),
    FINISHED,
  ],
  ['completed, then brought back', story('completed', 'reopened', 'launched', 'agent_started'), FINISHED],
  ['failed, then brought back', story('agent_started', 'failed', 'reopened', ...back.slice(1)), CUT],
])('the evidence of the last turn is right for one that was %s', (_, moves, fact) => {
  expect(lastTurnEvidence(moves).fact).toBe(fact)
})
