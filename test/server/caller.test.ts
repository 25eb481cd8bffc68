import { expect, test } from 'vitest'
import { asRunId, asTaskId } from '../../src/domain/names/ids.ts'
import type { Caller } from '../../src/domain/task/caller.ts'
import type { Task } from '../../src/domain/task/task.ts'
import { checkMayForce, checkMayKillAll, checkOwnTask } from '../../src/server/caller.ts'
import { checkReach } from '../../src/server/reach.ts'
import { aTask } from '../builders/task.ts'

const run: Caller = { kind: 'run', run: asRunId('run-1'), name: 'run run-1' }
const person: Caller = { kind: 'person', name: 'ada' }
const own = aTask({ id: asTaskId('20251118-153042-own'), runId: asRunId('run-1') })
const started = aTask({ id: asTaskId('20251118-153043-started'), runId: asRunId('run-2') })
const other = aTask({ id: asTaskId('20251118-153044-other'), runId: asRunId('run-3') })
const worker = aTask({ id: asTaskId('20251118-153045-worker'), runId: asRunId('run-4') })
const desk = {
  tasks: { isBelow: async ({ id }: Task) => id === started.id },
  operators: { coordinates: async (_: string, { id }: Task) => id === worker.id },
} as never

test('a run that hands in the result of another task is told so', () => {
  expect(() => checkOwnTask(run, other, 'hand in the result of')).toThrow(
    expect.objectContaining({
      code: 'NOT_ALLOWED_FOR_RUN',
      message: `A run may hand in the result of only its own session, and ${other.id} is another one.`,
    }),
  )
  checkOwnTask(run, own, 'hand in the result of')
  checkOwnTask(person, other, 'hand in the result of')
})

test('a run may kill its own session and those that it started', async () => {
  await checkReach(run, own, 'kill', 'own_and_started', desk)
  await checkReach(run, started, 'kill', 'own_and_started', desk)
  await checkReach(person, other, 'kill', 'own_and_started', desk)
  await expect(checkReach(run, other, 'kill', 'own_and_started', desk)).rejects.toMatchObject({
    code: 'NOT_ALLOWED_FOR_RUN',
    message: `A run may kill only its own session and those that it started, and ${other.id} is neither.`,
  })
})

test('a run may answer questions of sessions that it started, and never its own', async () => {
  await checkReach(run, started, 'answer questions of', 'started', desk)
  await checkReach(person, other, 'answer questions of', 'started', desk)
  for (const task of [own, other])
    await expect(checkReach(run, task, 'answer questions of', 'started', desk)).rejects.toMatchObject({
      code: 'NOT_ALLOWED_FOR_RUN',
      message: `A run may answer questions of only sessions that it started, and ${task.id} is none of them.`,
    })
})

test('a run may send prompts to sessions that it started, and as the orchestrator to runtimes; it may not answer there', async () => {
  const send = (task: Task) => checkReach(run, task, 'send prompts to', 'started_or_coordinated', desk)
  await send(started)
  await send(worker)
  for (const task of [own, other])
    await expect(send(task)).rejects.toMatchObject({
      code: 'NOT_ALLOWED_FOR_RUN',
      message: `A run may send prompts to only sessions that it started, or as the orchestrator runtimes of its workspace, and ${task.id} is neither.`,
    })
  await expect(checkReach(run, worker, 'answer questions of', 'started', desk)).rejects.toMatchObject({
    code: 'NOT_ALLOWED_FOR_RUN',
  })
})

test('a run that wants to kill all sessions is told which it may kill', () => {
  expect(() => checkMayKillAll(run)).toThrow(
    'A run may not kill all sessions: it may kill only its own and those that it started.',
  )
  checkMayKillAll(person)
})

test('a run may not force a prompt', () => {
  expect(() => checkMayForce(run)).toThrow('A run may not force prompts.')
  checkMayForce(person)
})
