// Owns the end of a conversation by lines: an agent leaves by itself at the end of its input.
import type { Recipient } from '../inputs/recipient.ts'
import type { DeliveryNeeds } from '../needs.ts'

/** How a run is ended that does not leave by itself. */
export type EndsRun = {
  /** Only where the task is ours alone. */
  readonly endNow: () => Promise<void>
  /** After the usual grace, if it is still there then. */
  readonly endAfterGrace: () => void
}

/** One whose run directory is gone cannot be told that its input is over. */
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
