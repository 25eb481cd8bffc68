import { asRunId, type TaskId } from '../../src/domain/names/ids.ts'
import type { Run } from '../../src/domain/task/run.ts'
import type { RunDraft } from '../../src/ports/store/runs.ts'
import { NOON, RUN_ID, TASK_ID } from './ids.ts'

/** A live run, with what the test cares about changed. */
export const aRun = (changes: Partial<Run> = {}): Run => ({
  ...aRunDraft(TASK_ID, { id: RUN_ID }),
  state: 'live',
  startedAt: NOON,
  liveSinceMono: null,
  endedAt: null,
  pid: null,
  startTicks: null,
  bootId: null,
  exitCode: null,
  exitSignal: null,
  eventsOffset: 0,
  unknownLines: 0,
  eventsLost: 0,
  lastWords: null,
  result: null,
  tools: 0,
  progress: 0,
  failure: null,
  limitedUntil: null,
  sessionRefused: 0,
  daemonDeaths: 0,
  heartbeatAt: null,
  heartbeatStatus: null,
  steps: [],
  ...changes,
})

/** A run of this task as it is first written. */
export const aRunDraft = (taskId: TaskId, changes: Partial<RunDraft> = {}): RunDraft => {
  const { number = 1 } = changes
  return {
    id: asRunId(`run-${number}-of-${taskId}`),
    taskId,
    number,
    createdAt: NOON + number,
    how: 'start',
    told: null,
    outputLength: 0,
    inputLength: 0,
    ...changes,
  }
}
