import type { ExitRecord } from '../../src/ports/run/run-files.ts'
import type { Observation } from '../../src/supervisor/watching/decide.ts'

/** What is seen of a run whose process lives, with what the test cares about changed. */
export const anObservation = (changes: Partial<Observation> = {}): Observation => ({
  start: { pid: 7, startTicks: 70, bootId: 'b' },
  exit: undefined,
  alive: true,
  otherBoot: false,
  missingMs: 0,
  watchedMs: 0,
  workedMs: 0,
  ...changes,
})

/** The record of an agent that ended well. */
export const anExitRecord = (changes: Partial<ExitRecord> = {}): ExitRecord => ({
  code: 0,
  signal: null,
  atMs: 1,
  bootId: 'b',
  hangup: null,
  late: false,
  ...changes,
})
