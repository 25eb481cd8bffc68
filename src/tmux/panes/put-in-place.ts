// Owns how a pane comes back to its window after a person moved or renamed it.
import type { Place } from '../../domain/runtime/names.ts'
import type { Pane } from '../../ports/run/terminal.ts'
import { checkPaneName } from './check-name.ts'
import { ifMarked, ifShell } from './if-marked.ts'
import { SIZE } from './launch-commands.ts'

/** Printed when the pane is where it belongs. */
export const PUT = 'put'

/** The server itself looks whether the name is free: a window that a person gave it is left alone. */
export function putInPlaceCommands(pane: Pane, place: Place): string[][] {
  const session = `=${checkPaneName(place.session)}:`
  const window = checkPaneName(place.window)
  const isTaken = `#{W:#{?#{==:#{window_name},${window}},1,}}`
  const done = [
    ['resize-window', '-t', pane.pane, ...SIZE],
    ['display-message', '-p', PUT],
  ]
  // Beside a pane that a person opened in its own window: it changes places with the first one there.
  if (pane.session === place.session && pane.window === place.window)
    return [ifMarked(pane, ['swap-pane', '-d', '-s', pane.pane, '-t', `${session}=${window}.0`], ...done)]
  return [ifShell(session, isTaken, [], [ifMarked(pane, ...moved(pane, session, window), ...done)])]
}

function moved({ pane, session, panesInWindow }: Pane, to: string, window: string): string[][] {
  if (panesInWindow > 1) return [['break-pane', '-d', '-s', pane, '-t', to, '-n', window]]
  const isElsewhere = to !== `=${session}:`
  return [
    ...(isElsewhere ? [['move-window', '-d', '-s', pane, '-t', to]] : []),
    ['rename-window', '-t', pane, window],
  ]
}
