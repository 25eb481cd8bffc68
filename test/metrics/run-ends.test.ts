// The end of each run is counted and timed once, whatever becomes of its task and of the daemon.
import { expect, test } from 'vitest'
import { asRunId } from '../../src/domain/names/ids.ts'
import type { RunEvent } from '../../src/domain/run/machine.ts'
import { NOON, RUN_ID, TASK_ID } from '../builders/ids.ts'
import { aMove } from '../builders/move.ts'
import { aRunDraft } from '../builders/run.ts'
import { aTaskDraft } from '../builders/task.ts'
import { metricsOver } from './metrics-over.ts'

type Over = Awaited<ReturnType<typeof metricsOver>>
const HOUR = 3600
const CRASHES = 'holdfast_runs_ended_total{ending="signal",failure="crash"}'

/** Moves of one task, by the seconds since noon. */
function moves({ commit }: Pick<Over, 'commit'>) {
  let runs = 0
  const runId = () => (runs === 1 ? RUN_ID : asRunId(`run-${runs}`))
  const at = (seconds: number) => NOON + seconds * 1000
  return {
    launches: (seconds: number) => {
      runs++
      return commit({
        task: aMove(TASK_ID, 'pending', 'launched', { at: at(seconds), set: { runId: runId() } }),
        newRun: aRunDraft(TASK_ID, { id: runId(), number: runs }),
      })
    },
    /** `began`: when its process did, if that is known. */
    starts: (seconds: number, began?: number) =>
      commit({
        task: aMove(TASK_ID, 'running', 'agent_started', { at: at(seconds) }),
        run: {
          id: runId(),
          from: 'launching',
          event: 'started',
          ...(began === undefined ? {} : { set: { startedAt: at(began) } }),
        },
      }),
    ends: (
      event: 'parked' | 'requeued',
      from: 'launching' | 'live',
      how: RunEvent,
      seconds: number,
      began?: number,
    ) =>
      commit({
        task: aMove(TASK_ID, 'running', event, { at: at(seconds), set: { runId: null } }),
        run: {
          id: runId(),
          from,
          event: how,
          set: {
            endedAt: at(seconds),
            ...(began === undefined ? {} : { startedAt: at(began) }),
            ...(how === 'exited' ? { exitSignal: 'KILL', failure: 'crash' } : {}),
          },
        },
      }),
    moves: (from: 'pending' | 'running', event: 'requeued' | 'cancelled', seconds: number) =>
      commit({ task: aMove(TASK_ID, from, event, { at: at(seconds) }) }),
  }
}

test('a run that a daemon before this one counted is not counted again when its task goes on hours later', async () => {
  const first = await metricsOver()
  await first.commit({ create: aTaskDraft() })
  const task = moves(first)
  await task.launches(1)
  await task.starts(2)
  await task.ends('parked', 'live', 'exited', 10)
  expect(await first.values()).toMatchObject({ [CRASHES]: 1, holdfast_detect_seconds_count: 1 })
  const later = await metricsOver({ store: first.store })
  const heard = async (change: Parameters<Over['commit']>[0]) => {
    const committed = await first.store.commit(change)
    later.metrics.hear(committed)
    return committed
  }
  await moves({ commit: heard }).moves('running', 'requeued', 5 * HOUR)
  const told = await later.values()
  expect(told[CRASHES]).toBe(0)
  expect(told.holdfast_detect_seconds_count).toBe(0)
  expect(told['holdfast_park_seconds_count{phase="parked"}']).toBe(1)
})

test('a run that ends before its agent was at work is counted, also after an earlier death', async () => {
  const over = await metricsOver()
  await over.commit({ create: aTaskDraft() })
  const task = moves(over)
  await task.launches(1)
  await task.starts(2)
  await task.ends('requeued', 'live', 'exited', 10)
  await task.launches(11)
  await task.ends('requeued', 'launching', 'exited', 12)
  await task.launches(13)
  await task.starts(14)
  expect(await over.values()).toMatchObject({
    [CRASHES]: 2,
    holdfast_detect_seconds_count: 2,
    'holdfast_resume_seconds_sum{waited="nothing"}': 2,
  })
})

test('a run whose agent could never start is counted once, also when its task is cancelled afterwards', async () => {
  const over = await metricsOver()
  await over.commit({ create: aTaskDraft() })
  const task = moves(over)
  await task.launches(1)
  await task.ends('requeued', 'launching', 'voided', 2)
  await task.moves('pending', 'cancelled', 3)
  expect(await over.values()).toMatchObject({
    'holdfast_runs_ended_total{ending="void",failure="none"}': 1,
  })
})

test('a run that was over before it was seen at work counts as begun, and is timed from when its process began', async () => {
  const over = await metricsOver()
  await over.commit({ create: aTaskDraft() })
  const task = moves(over)
  await task.launches(1)
  await task.ends('requeued', 'launching', 'exited', 2, 1.1)
  await task.launches(3)
  await task.ends('requeued', 'launching', 'exited', 4, 3.25)
  await task.launches(5)
  await task.ends('requeued', 'launching', 'voided', 6)
  await task.launches(7)
  await task.starts(9, 7.5)
  expect(await over.values()).toMatchObject({
    holdfast_runs_started_total: 3,
    [CRASHES]: 2,
    'holdfast_resume_seconds_count{waited="nothing"}': 2,
    // 2 to 3.25, and 4 to 7.5: not to 9, when it was seen.
    'holdfast_resume_seconds_sum{waited="nothing"}': 1.25 + 3.5,
  })
})
