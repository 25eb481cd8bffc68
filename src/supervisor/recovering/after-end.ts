// Owns what is done once the end of a task is stored: the task is tidied up, after all other ends that were seen are stored.
import type { TaskId } from '../../domain/names/ids.ts'
import type { Core } from '../task/core.ts'
import { tidyTask } from '../task/tidy-task.ts'
import type { After } from './decide-end.ts'
import type { RecoveringNeeds } from './needs.ts'

/** Runs that die of one cause die together: their ends are seen within this time of each other. */
const QUIET_MS = 30
/** Tidying waits at most about so long for other ends. */
const LONGEST_WAIT_MS = 500

export async function afterEnd(id: TaskId, after: After, core: RecoveringNeeds): Promise<void> {
  if (after.kind !== 'end') return
  await whenQuiet(core)
  await core.withLock('tidying', () => tidyTask(id, core))
}

/** Waits until all ends that were seen are stored, but not for one that hangs. */
async function whenQuiet({ endsInFlight, clock }: Pick<Core, 'clock' | 'endsInFlight'>): Promise<void> {
  const latest = clock.monotonic() + LONGEST_WAIT_MS
  do {
    await Promise.race([endsInFlight.whenEmpty(), clock.sleep(LONGEST_WAIT_MS)])
    await clock.sleep(QUIET_MS)
  } while (!endsInFlight.isEmpty && clock.monotonic() < latest)
}
