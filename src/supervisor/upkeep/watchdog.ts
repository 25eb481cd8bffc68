// Owns the rest of the net below the events: disk, orphans, archive, retention; a bounded part of it on each call.
import { messageOf } from '../../domain/errors.ts'
import { archiveByAge } from './archive-tasks.ts'
import { checkDisk } from './disk-quota.ts'
import type { UpkeepNeeds } from './needs.ts'
import { endOrphans } from './orphans.ts'
import { forgetOldRows, removeUnneededFiles } from './retention.ts'

type Duty = {
  readonly name: string
  readonly every: number
  readonly work: (core: UpkeepNeeds) => Promise<void>
}

/** In calls, of which the tick makes one each. Never two of the rarer ones in the same call. */
const duties: readonly Duty[] = [
  { name: 'checking disk use', every: 2, work: checkDisk },
  { name: 'looking for orphans', every: 24, work: endOrphans },
  { name: 'archiving', every: 12, work: archiveByAge },
  { name: 'comparing files with the store', every: 12, work: removeUnneededFiles },
  { name: 'forgetting', every: 60, work: forgetOldRows },
  { name: 'rotating logs', every: 60, work: ({ homeFiles }) => homeFiles.rotateLogs() },
]

/** Trouble with one duty keeps nobody from the others; it comes back with its turn. A call during another does nothing. */
export async function watchdog(core: UpkeepNeeds): Promise<void> {
  const { upkeep } = core
  if (upkeep.isBusy) return
  upkeep.isBusy = true
  await core.withLock('upkeep', () => slice(++upkeep.calls, core))
  upkeep.isBusy = false
}

async function slice(call: number, core: UpkeepNeeds): Promise<void> {
  for (const [at, { name, every, work }] of duties.entries())
    if (call % every === at % every)
      await work(core).catch((error) => core.log.error(`${name} failed`, { error: messageOf(error) }))
}
