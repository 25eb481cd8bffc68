// Names and times that builders and tests share.
import { asRunId, asTaskId } from '../../src/domain/names/ids.ts'

export const NOON = 1_763_467_200_000
export const taskId = (name: string) => asTaskId(`20251118-120000-${name}`)

/** The task and the run that things belong to when a test names no other. */
export const TASK_ID = taskId('demo')
export const RUN_ID = asRunId('run-1')
