// Owns when the screens of terminal runs are looked at: when something was drawn, and while something is under way.

import type { Pane } from '../../ports/run/terminal.ts'
import type { Watch } from '../task/core.ts'
import { isQuarantined } from '../watching/quarantine.ts'
import { endWithoutTerminal, panesNow } from '../watching/without-terminal.ts'
import { lookAtScreen } from './look-at-screen.ts'
import type { ScreensNeeds } from './needs.ts'

/** Pause between two rounds, when no run is to be looked at soon. */
export const CALM_MS = 1000
/** Pause while a run is to be looked at soon. */
const BUSY_MS = 250
/** Pause while a prompt was pasted and its Enter is near. */
const TYPING_MS = 100
/** Pause while all terminal runs are idle and nobody is at a terminal. The terminal tells when an outline has changed. */
export const RESTING_MS = 20_000
/** Longest time in which an idle run's screen is not read although something was drawn on it. */
const UNREAD_MS = 120_000

/**
 * Looks once at all screens that may have changed. `soon`: runs that are looked at although nothing was drawn.
 * Returns the ms until the next round, or null when there is no terminal run.
 */
export async function lookAtChangedScreens(core: ScreensNeeds, soon: Set<Watch>): Promise<number | null> {
  const runs = [...core.watched.values()].filter(({ task }) => task.mode === 'interactive')
  if (runs.length === 0) return null
  const panes = await panesNow(core)
  if (panes === undefined) return CALM_MS
  for (const watch of runs) {
    if (isQuarantined(watch.run)) continue
    const pane = panes.get(watch.run.id)
    if (pane === undefined) {
      await endWithoutTerminal(watch, core)
      continue
    }
    watch.noTerminalSinceMono = null
    if (!soon.has(watch) && !mayHaveChanged(watch, pane, core)) continue
    const again = await core.withLock(watch.task.id, () => look(watch, pane, core))
    if (again) soon.add(watch)
    else soon.delete(watch)
    watch.restingLook =
      again || !isResting(watch) ? null : { outline: pane.outline, at: core.clock.monotonic() }
  }
  for (const watch of soon) if (!runs.includes(watch)) soon.delete(watch)
  if (soon.size > 0) return [...soon].some(isBeingTyped) ? TYPING_MS : BUSY_MS
  return runs.every((watch) => isLeftAlone(watch, panes.get(watch.run.id))) ? RESTING_MS : CALM_MS
}

/** Idle, in its terminal, and nobody is attached to it. */
const isLeftAlone = ({ task, noTerminalSinceMono }: Watch, pane: Pane | undefined) =>
  task.phase === 'idle' && noTerminalSinceMono === null && !pane?.attached

/**
 * Reading a screen is what costs. An idle agent may draw its clock every second; its screen is read again when the
 * cursor, the history or a key tells of more than that, or when it was not read for long.
 */
function mayHaveChanged(
  { screen, restingLook }: Watch,
  { activeAt, outline }: Pane,
  { clock }: Pick<ScreensNeeds, 'clock'>,
): boolean {
  if (screen === null || restingLook === null) return screen?.activeAt !== activeAt
  const isUnread = clock.monotonic() - restingLook.at >= UNREAD_MS
  return screen.activeAt !== activeAt && (isUnread || restingLook.outline !== outline)
}

const isBeingTyped = ({ kept }: Watch) => kept?.why.kind === 'being_typed'

const isResting = ({ task, screen }: Watch) => task.phase === 'idle' && screen?.rested === true

async function look(watch: Watch, { activeAt }: Pane, core: ScreensNeeds): Promise<boolean> {
  const leave = core.handling.enter(watch.run.id)
  try {
    return await lookAtScreen(watch, activeAt, core)
  } finally {
    leave()
  }
}
