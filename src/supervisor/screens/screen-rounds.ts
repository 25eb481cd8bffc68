// Owns when the screens of terminal runs are looked at: when something was drawn, and while something is under way.

import type { Watch } from '../task/core.ts'
import { isQuarantined } from '../watching/quarantine.ts'
import { endWithoutTerminal, panesNow } from '../watching/without-terminal.ts'
import { lookAtScreen } from './look-at-screen.ts'
import type { ScreensNeeds } from './needs.ts'

/** Pause between two rounds, when no run is to be looked at soon. */
export const CALM_MS = 1000
/** Pause while a run is to be looked at soon. */
const BUSY_MS = 250
/** Pause while all terminal runs are idle: only a person at a terminal can begin something that nobody told us of. */
const RESTING_MS = 5000

/**
 * Looks once at all screens that may have changed. `soon`: runs that are looked at although nothing was drawn.
 * Returns the ms until the next round, or null when there is no terminal run.
 */
export async function lookAtChangedScreens(core: ScreensNeeds, soon: Set<Watch>): Promise<number | null> {
  const runs = [...core.watched.values()].filter(({ task }) => task.mode === 'interactive')
  if (runs.length === 0) return null
  const drawn = await panesNow(core)
  if (drawn === undefined) return CALM_MS
  for (const watch of runs) {
    if (isQuarantined(watch.run)) continue
    const activeAt = drawn.get(watch.run.id)
    if (activeAt === undefined) {
      await endWithoutTerminal(watch, core)
      continue
    }
    watch.noTerminalSinceMono = null
    if (watch.screen?.activeAt === activeAt && !soon.has(watch)) continue
    const again = await core.withLock(watch.task.id, () => look(watch, activeAt, core))
    if (again) soon.add(watch)
    else soon.delete(watch)
  }
  for (const watch of soon) if (!runs.includes(watch)) soon.delete(watch)
  if (soon.size > 0) return BUSY_MS
  return runs.every(({ task }) => task.phase === 'idle') ? RESTING_MS : CALM_MS
}

async function look(watch: Watch, activeAt: number, core: ScreensNeeds): Promise<boolean> {
  const leave = core.handling.enter(watch.run.id)
  try {
    return await lookAtScreen(watch, activeAt, core)
  } finally {
    leave()
  }
}
