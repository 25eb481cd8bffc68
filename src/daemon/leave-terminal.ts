// Owns what becomes of tmux when the daemon stops.
import type { Store } from '../ports/store/store.ts'
import type { TmuxTerminal } from '../tmux/tmux-terminal.ts'

/** Agents keep their panes. Without runs and panes, the tmux server is ended too. */
export async function leaveTerminal(terminal: TmuxTerminal, store: Pick<Store, 'openRuns'>): Promise<void> {
  await ((await isUnused(terminal, store)) ? terminal.stopServer() : terminal.disconnect())
}

/** A server that is just being started or connected to may be unused, too. What cannot be asked may be in use. */
async function isUnused(terminal: TmuxTerminal, store: Pick<Store, 'openRuns'>): Promise<boolean> {
  if (terminal.health() !== 'up' && terminal.health() !== 'down') return false
  try {
    return (await store.openRuns()).length === 0 && (await terminal.panes()).length === 0
  } catch {
    return false
  }
}
