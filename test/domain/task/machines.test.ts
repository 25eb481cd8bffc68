import { expect, test } from 'vitest'
import { isOver, RUN_STATES, type RunEvent, runTransitions } from '../../../src/domain/run/machine.ts'
import {
  isEnded,
  type StatusBefore,
  TASK_STATUSES,
  type TaskEvent,
  taskTransitions,
} from '../../../src/domain/task/machine.ts'
import { nextRun, nextTask } from '../../../src/domain/task/next-state.ts'

const taskEvents = [
  ...new Set(Object.values(taskTransitions).flatMap((row) => Object.keys(row))),
] as TaskEvent[]
const runEvents = [...new Set(Object.values(runTransitions).flatMap((row) => Object.keys(row)))] as RunEvent[]

test.each(['new', ...TASK_STATUSES] as StatusBefore[])(
  'a %s task takes what its row says and refuses the rest',
  (from) => {
    for (const event of taskEvents) {
      const step = taskTransitions[from][event]
      if (step !== undefined) expect(nextTask(from, event)).toEqual(step)
      else
        expect(() => nextTask(from, event)).toThrow(expect.objectContaining({ code: 'INVALID_TRANSITION' }))
    }
  },
)

test.each(RUN_STATES)('a %s run takes what its row says and refuses the rest', (from) => {
  for (const event of runEvents) {
    const to = runTransitions[from][event]
    if (to !== undefined) expect(nextRun(from, event)).toBe(to)
    else expect(() => nextRun(from, event)).toThrow(expect.objectContaining({ code: 'INVALID_TRANSITION' }))
  }
})

test('every status can be reached, and every unfinished one can end', () => {
  const reach = (from: StatusBefore, seen = new Set<StatusBefore>()): Set<StatusBefore> => {
    if (seen.has(from)) return seen
    seen.add(from)
    for (const step of Object.values(taskTransitions[from])) reach(step.to, seen)
    return seen
  }
  expect([...reach('new')].sort()).toEqual(['new', ...TASK_STATUSES].sort())
  for (const status of TASK_STATUSES)
    expect([...reach(status)].some((state) => state !== 'new' && isEnded(state))).toBe(true)
})

test('an ended task has no phase, every other has one', () => {
  for (const row of Object.values(taskTransitions))
    for (const step of Object.values(row)) expect(step.phase === null).toBe(isEnded(step.to))
})

test('void, lost and exited runs are over', () => {
  expect(RUN_STATES.filter(isOver)).toEqual(['exited', 'void', 'lost'])
})
