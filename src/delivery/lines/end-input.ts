// Owns the end of a conversation by lines: an agent ends by itself when its input ends.
import type { Recipient } from '../inputs/recipient.ts'
import type { DeliveryNeeds } from '../needs.ts'

/** How to end a run that does not end by itself. */
export type EndsRun = {
  /** Begins to end the run now. The caller holds the task's lock. */
  readonly endNow: () => Promise<void>
  /** Ends the run after the usual grace, if it is still alive then. */
  readonly endAfterGrace: () => void
}

/** Ends the run's input. When the run directory is gone, that is not possible: the run itself is ended. */
export async function endInput(
  { run }: Pick<Recipient, 'run'>,
  { endNow, endAfterGrace }: EndsRun,
  { runFiles, processes }: Pick<DeliveryNeeds, 'processes' | 'runFiles'>,
): Promise<void> {
  if (!runFiles.has(run.id)) return endNow()
  const feeder = await runFiles.feeder(run.id)
  if (feeder === undefined || !processes.isAlive(feeder)) return
  processes.signal(feeder, 'SIGTERM')
  endAfterGrace()
}
