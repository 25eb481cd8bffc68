// Whatever is asked of a store, in whatever order: its promises hold.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isHoldfastError } from '../../../src/domain/errors.ts'
import type { TaskId } from '../../../src/domain/names/ids.ts'
import { TASK_STATUSES, type TaskEvent, taskTransitions } from '../../../src/domain/task/machine.ts'
import type { Store } from '../../../src/ports/store/store.ts'
import { NOON, taskId } from '../../builders/ids.ts'
import { aMove } from '../../builders/move.ts'
import type { Open } from '../../contract/store-contract.ts'
import { expectConsistent } from '../expectations.ts'
import { create } from '../samples.ts'
import { markArchived, markTidied } from '../writes.ts'

const EVENTS = [
  ...new Set(Object.values(taskTransitions).flatMap((steps) => Object.keys(steps) as TaskEvent[])),
]
const step = fc.record({
  task: fc.integer({ min: 0, max: 2 }),
  from: fc.constantFrom(...TASK_STATUSES),
  event: fc.constantFrom(...EVENTS),
  isInformed: fc.boolean(),
  putsAway: fc.boolean(),
})
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

const ways: Record<string, (takes: readonly (() => Promise<void>)[]) => Promise<unknown>> = {
  'one after another': async (takes) => {
    for (const take of takes) await take()
  },
  'all at once': (takes) => Promise.all(takes.map((take) => take())),
}

export function properties(open: Open) {
  test.each(Object.entries(ways))(
    'any events, %s, leave status, transitions, counters and sequence in agreement',
    async (_, inThisWay) => {
      const store = await open()
      let round = 0
      await fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
          const names = [0, 1, 2].map((index) => `${round}-${index}`)
          round++
          for (const name of names) await create(store, name)
          await inThisWay(steps.map((one) => () => take(store, names[one.task]!, one)))
          await expectConsistent(store)
        }),
        { numRuns: 15 },
      )
    },
  )
}

/** An informed step knows the task's status; others guess. The outcome must be what the table says. */
async function take(store: Store, name: string, one: Step): Promise<void> {
  const { from: guess, event, isInformed, putsAway } = one
  const id = taskId(name)
  if (putsAway) await putAway(store, id)
  const from = isInformed ? (await store.task(id))!.status : guess
  const isLegal = taskTransitions[from][event] !== undefined
  try {
    await store.commit({ task: aMove(id, from, event, { set: { endedAt: NOON } }) })
    expect(isLegal).toBe(true)
  } catch (error) {
    if (!isHoldfastError(error)) throw error
    expect(error.code).toBe(isLegal ? 'TRANSITION_CONFLICT' : 'INVALID_TRANSITION')
  }
}

/** Does nothing to a task that has not ended. */
async function putAway(store: Store, id: TaskId): Promise<void> {
  await markTidied(store, id)
  await markArchived(store, id, NOON)
}
