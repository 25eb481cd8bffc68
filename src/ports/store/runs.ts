// Owns how runs are written and read.

import type { RunId, TaskId } from '../../domain/names/ids.ts'
import type { RunEvent } from '../../domain/run/machine.ts'
import type { Run } from '../../domain/task/run.ts'

export interface RunReads {
  run(id: RunId): Promise<Run | undefined>
  runsOf(taskId: TaskId): Promise<Run[]>
  /** The last ones, oldest first: as cheap for a task with thousands of runs as for one with few. */
  lastRuns(taskId: TaskId, most: number): Promise<Run[]>
  /** Runs of this node that are launching or live. */
  openRuns(): Promise<Run[]>
  /** Runs of this node and account, or of all accounts, that ended at or after `since`, newest first. */
  endedRuns(since: number, account: string | null): Promise<Run[]>
}

export type RunDraft = Pick<
  Run,
  'id' | 'taskId' | 'number' | 'createdAt' | 'outputLength' | 'inputLength' | 'how' | 'told'
>
export type RunMove = {
  readonly id: RunId
  readonly from: Run['state']
  readonly event: RunEvent
  readonly set?: Partial<
    Pick<
      Run,
      | 'startedAt'
      | 'liveSinceMono'
      | 'endedAt'
      | 'pid'
      | 'startTicks'
      | 'bootId'
      | 'exitCode'
      | 'exitSignal'
      | 'failure'
      | 'outputLength'
    >
  >
}
