// Owns what is known of a run that asks for something itself.
import type { RunId } from '../../../domain/names/ids.ts'
import { isOver } from '../../../domain/run/machine.ts'
import type { Run } from '../../../domain/task/run.ts'
import { renewToken } from '../../upkeep/renew-tokens.ts'
import { noteBridge } from '../../watching/check-bridges.ts'
import type { DeskNeeds } from '../needs.ts'

export const runsDesk = (core: DeskNeeds) => ({
  /** Undefined where there is none, or it is over. */
  async open(id: RunId): Promise<Run | undefined> {
    const run = watchOf(id, core)?.run ?? (await core.store.run(id))
    return run === undefined || isOver(run.state) ? undefined : run
  },

  /** The tools that it was given say that its agent has started them. */
  async bridgeUp(id: RunId): Promise<void> {
    const watch = watchOf(id, core)
    if (watch !== undefined) await noteBridge(watch, 'up', core)
  },

  /** Its token expired before the tick replaced it: the clock was set, or the machine slept. */
  async renewToken(id: RunId): Promise<void> {
    const watch = watchOf(id, core)
    if (watch?.run.state === 'live') await renewToken(watch, core)
  },
})

function watchOf(id: RunId, { taskOfRun, watched }: Pick<DeskNeeds, 'taskOfRun' | 'watched'>) {
  const task = taskOfRun.get(id)
  return task === undefined ? undefined : watched.get(task)
}
