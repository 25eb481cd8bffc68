import { expect, test } from 'vitest'
import { asRunId, asTaskId } from '../../src/domain/names/ids.ts'
import type { Caller } from '../../src/domain/task/caller.ts'
import { checkMayKillAll, checkOwnTask } from '../../src/server/caller.ts'

const run: Caller = { kind: 'run', run: asRunId('run-1'), name: 'run run-1' }
const person: Caller = { kind: 'person', name: 'ada' }
const other = { id: asTaskId('20251118-153042-other'), runId: asRunId('run-2') }

test.each(['kill', 'finish'] as const)('a run that wants to %s another task is told so', (what) => {
  expect(() => checkOwnTask(run, other, what)).toThrow(
    expect.objectContaining({
      code: 'NOT_ALLOWED_FOR_RUN',
      message: `A run may ${what} only its own session, and ${other.id} is another one.`,
    }),
  )
  checkOwnTask(run, { ...other, runId: asRunId('run-1') }, what)
  checkOwnTask(person, other, what)
})

test('a run that wants to kill all sessions is told that it may kill its own', () => {
  expect(() => checkMayKillAll(run)).toThrow('A run may not kill all sessions: it may kill only its own.')
  checkMayKillAll(person)
})
