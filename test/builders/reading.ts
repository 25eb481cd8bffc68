import type { RunId, TaskId } from '../../src/domain/names/ids.ts'
import type { Reading } from '../../src/ports/store/reading.ts'

/** Event lines that were read of this run of this task. */
export const aReading = (
  { id, runId }: { id: TaskId; runId: RunId },
  changes: Partial<Reading> = {},
): Reading => ({
  taskId: id,
  runId,
  fromOffset: 0,
  offset: 100,
  outputLength: 40,
  unknownLines: 0,
  tokensIn: 0,
  tokensOut: 0,
  costUsd: 0,
  ...changes,
})
