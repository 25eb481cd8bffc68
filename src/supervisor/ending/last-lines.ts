// Owns the replacement for the final message of an agent that has none: the last lines that it printed.

import { driverOf } from '../../ports/run/driver-of.ts'
import type { Core, Watch } from '../task/core.ts'

const TAIL_BYTES = 64 * 1024
const MOST_LINES = 20
const MOST_CHARACTERS = 4000

/** Only for a run that was read to its end: the tail ends at the read offset. */
export async function lastLines(
  { task, run }: Pick<Watch, 'task' | 'run'>,
  core: Pick<Core, 'driver' | 'runFiles'>,
): Promise<string> {
  const from = Math.max(0, run.eventsOffset - TAIL_BYTES)
  const { bytes } = await core.runFiles.readEvents(run.id, from, TAIL_BYTES)
  const driver = driverOf(task, core)
  const said = new TextDecoder()
    .decode(bytes)
    .split('\n')
    .filter((line) => line.trim() !== '')
    .flatMap((line) => driver.readEvent(line))
    .flatMap((says) => (says.kind === 'said' ? [says.text] : []))
  // The first character may have been cut in half.
  return said
    .slice(-MOST_LINES)
    .join('\n')
    .slice(-MOST_CHARACTERS)
    .replace(/^[\ufffd\udc00-\udfff]+/, '')
}
