// Owns the upkeep that no event asks for: disk, orphans, archive, retention. Each call does a bounded part of it.
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

/** `every` counts calls; each tick makes one. No two of the duties after the first fall on the same call. */
const duties: readonly Duty[] = [
  { name: 'checking disk use', every: 2, work: checkDisk },
  { name: 'looking for orphans', every: 24, work: endOrphans },
  { name: 'archiving', every: 12, work: archiveByAge },
  { name: 'comparing files with the store', every: 12, work: removeUnneededFiles },
  { name: 'forgetting', every: 60, work: forgetOldRows },
  { name: 'rotating logs', every: 60, work: ({ homeFiles }) => homeFiles.rotateLogs() },
]

/** A duty that fails does not stop the others, and is tried again in its turn. A call during another call does nothing. */
export async function watchdog(core: UpkeepNeeds): Promise<void> {
  const { upkeep } = core
  if (upkeep.isBusy) return
  upkeep.isBusy = true
  await core.withLock('upkeep', () => doDueDuties(++upkeep.calls, core))
  upkeep.isBusy = false
}

async function doDueDuties(call: number, core: UpkeepNeeds): Promise<void> {
  for (const [at, { name, every, work }] of duties.entries())
    if (call % every === at % every)
      await work(core).catch((error) => core.log.error(`${name} failed`, { error: messageOf(error) }))
}
