import { expect, test } from 'vitest'
import { fallBackChange, fallbacksIn, takenBackIn } from '../../../src/delivery/inputs/fall-back.ts'
import { asTriggerId } from '../../../src/domain/names/ids.ts'
import type { TriggerStep } from '../../../src/domain/task/input.ts'
import { nextTrigger, type StateBefore, type TriggerEvent } from '../../../src/domain/trigger/machine.ts'
import { TASK_ID } from '../../builders/ids.ts'
import { aTask } from '../../builders/task.ts'

const ID = asTriggerId('trg_20260217_0001')

/** Steps as the table makes them; `fell_back` for want of an acknowledgement, `dead` because its run was over. */
function stepsOf(...words: (TriggerEvent | 'dead')[]): TriggerStep[] {
  let state: StateBefore = 'new'
  return words.map((word, at) => {
    const event = word === 'dead' ? 'fell_back' : word
    state = nextTrigger(state, event)!
    const code = word === 'dead' ? 'PANE_DEAD' : word === 'fell_back' ? 'ACK_TIMEOUT' : null
    return { triggerId: ID, number: at + 1, event, state, code, at, evidence: [] }
  })
}
const task = (standing: boolean) => aTask(standing ? { snapshot: { standing } } : {})
const back = (steps: TriggerStep[], standing = false) =>
  fallBackChange(
    {
      trigger: { taskId: TASK_ID, triggerId: ID, state: 'typed' },
      task: task(standing),
      steps,
      code: 'ACK_TIMEOUT',
      evidence: [],
      at: 9,
    },
    2,
  )

test('its agent is resumed with it twice; then it has failed, and nothing is ended', () => {
  const once = stepsOf('queued', 'typed')
  expect(back(once)).toMatchObject({
    trigger: { event: 'fell_back', code: 'ACK_TIMEOUT' },
    restart: { id: TASK_ID, order: { kind: 'trigger', goOn: null } },
  })
  const thrice = stepsOf('queued', 'typed', 'fell_back', 'typed', 'dead', 'typed')
  expect(back(thrice)).toEqual({
    trigger: expect.objectContaining({ event: 'failed', code: 'RESUME_FAILED' }),
  })
})

test('a runtime begins a new session after it was resumed twice; then the trigger has failed', () => {
  const resumedTwice = stepsOf('queued', 'typed', 'fell_back', 'typed', 'dead', 'typed')
  expect(back(resumedTwice, true)).toMatchObject({
    trigger: { event: 'fell_back', code: 'RESUME_FAILED' },
    restart: { order: { kind: 'spawn' } },
  })
  const spawned = stepsOf('queued', 'typed', 'fell_back', 'typed', 'dead', 'typed', 'fell_back', 'typed')
  expect(back(spawned, true)).toEqual({
    trigger: expect.objectContaining({ event: 'failed', code: 'SPAWN_FAILED' }),
  })
})

test('a run that died before it was given anything is no fault of the trigger', () => {
  expect(fallbacksIn(stepsOf('queued', 'dead', 'dead', 'typed'))).toBe(0)
  expect(fallbacksIn(stepsOf('queued', 'typed', 'dead', 'typed', 'fell_back'))).toBe(2)
})

test('tries count anew in each run', () => {
  expect(takenBackIn(stepsOf('queued', 'typed', 'queued', 'typed'))).toBe(1)
  expect(takenBackIn(stepsOf('queued', 'typed', 'queued', 'typed', 'fell_back', 'typed'))).toBe(0)
})
