// Owns what is done once the end of a run is stored: the task is tidied up, shown, verified, or started again.
import type { TaskId } from '../domain/ids.ts'
import type { Core } from './core.ts'
import type { After } from './recovery.ts'
import { showStored } from './show-task.ts'
import { tidyTask } from './tidy-task.ts'

/** Deaths come in crowds: those of one blow are seen within this time of each other. */
const QUIET_MS = 30
const LONGEST_WAIT_MS = 500

export async function afterEnd(id: TaskId, after: After, core: Core): Promise<void> {
  if (after.kind === 'end') {
    await whenQuiet(core)
    await core.alone('tidying', () => tidyTask(id, core))
  } else {
    // Whoever waits for the next run does not wait for a file.
    void core.scheduleSoon()
    core.wakeAt(core.clock.now())
    if (after.kind === 'go_on') core.laterShows.add(id)
    else await showStored(id, core)
  }
  void core.scheduleSoon()
}

/** All ends that are seen are stored before one is tidied up, unless one of them hangs. */
async function whenQuiet({ ends, clock }: Core): Promise<void> {
  const latest = clock.monotonic() + LONGEST_WAIT_MS
  do {
    await Promise.race([ends.empty(), clock.sleep(LONGEST_WAIT_MS)])
    await clock.sleep(QUIET_MS)
  } while (!ends.isEmpty && clock.monotonic() < latest)
}
