// Owns agents that live on though their terminal is gone: nobody can see them or tell them anything. They are ended, and
// what became of the terminal decides how they go on.
import type { Pane } from '../../ports/run/terminal.ts'
import type { Core, Watch } from '../task/core.ts'
import { sweep } from '../task/end-run.ts'
import type { WatchingNeeds } from './needs.ts'

/** Time for what an agent still does when its terminal goes away. */
const GRACE_MS = 5000

/** All panes by their mark. Undefined when tmux cannot be asked. */
export async function panesNow({ terminal }: Pick<Core, 'terminal'>): Promise<Map<string, Pane> | undefined> {
  if (terminal.health() === 'given_up') return new Map()
  if (terminal.health() !== 'up') return undefined
  return new Map((await terminal.panes()).map((pane) => [pane.mark, pane]))
}

/** Ends an agent that has no terminal. Nobody ordered this, so its end is judged like any other. */
export async function endWithoutTerminal(watch: Watch, core: WatchingNeeds): Promise<void> {
  const now = core.clock.monotonic()
  watch.noTerminalSinceMono ??= now
  if (watch.run.state !== 'live' || watch.ending || now - watch.noTerminalSinceMono < GRACE_MS) return
  await core.withLock(watch.task.id, async () => {
    if (core.watched.get(watch.task.id) !== watch) return
    core.log.warn('an agent still runs though its terminal is gone: it is being ended', {
      task: watch.task.id,
      run: watch.run.id,
    })
    await sweep(watch.run.id, core)
  })
  core.requestLook(watch.task.id)
}
