import { expect, test } from 'vitest'
import { PHASES, TASK_STATUSES } from '../../../src/domain/task/machine.ts'
import { sessionStatus, statesFor } from '../../../src/domain/task/status-view.ts'

const shown = (started: number | null) =>
  Object.fromEntries(TASK_STATUSES.map((status) => [status, sessionStatus({ status, startedAt: started })]))

test('a task is CREATED until its first start and RUNNING ever after, until it ends', () => {
  const ended = { completed: 'COMPLETED', failed: 'FAILED', cancelled: 'KILLED' }
  const alive = { running: 'RUNNING', waiting_input: 'RUNNING' }
  expect(shown(null)).toEqual({ pending: 'CREATED', ...alive, ...ended })
  expect(shown(1)).toEqual({ pending: 'RUNNING', ...alive, ...ended })
})

test('RUNNING asks for everything that is shown so, also for what waits for its slot again', () => {
  const all = [{ status: 'running' }, { status: 'pending', hasStarted: true }, { status: 'waiting_input' }]
  for (const word of ['running', 'RUNNING', ' Running ']) expect(statesFor(word)).toEqual(all)
  expect(statesFor('CREATED')).toEqual([{ status: 'pending', hasStarted: false }])
  expect(statesFor('pending')).toEqual([{ status: 'pending' }])
})

test('a filter is understood in both vocabularies, by phase, and in any case', () => {
  expect(statesFor('Killed')).toEqual([{ status: 'cancelled' }])
  expect(statesFor('cancelled')).toEqual([{ status: 'cancelled' }])
  expect(statesFor('waiting_input')).toEqual([{ status: 'waiting_input' }])
  expect(statesFor('ASKING')).toEqual([{ status: 'waiting_input', phase: 'asking' }])
  expect(statesFor('stuck')).toEqual([
    { status: 'running', phase: 'stuck' },
    { status: 'waiting_input', phase: 'stuck' },
  ])
  for (const word of ['backing off', 'backing-off', 'backing_off'])
    expect(statesFor(word)).toEqual([{ status: 'running', phase: 'backing_off' }])
  for (const phase of PHASES) expect(statesFor(phase)).not.toEqual([])
  expect(statesFor('asking,FAILED')).toEqual([...statesFor('asking'), { status: 'failed' }])
})

test('what is neither a status nor a phase is refused', () => {
  expect(() => statesFor('DONE')).toThrow('Invalid status filter: DONE')
  expect(() => statesFor('')).toThrow('Invalid status filter')
  expect(() => statesFor('RUNNING,')).toThrow('Invalid status filter')
})
