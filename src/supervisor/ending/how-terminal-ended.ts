// Owns what became of the terminal of a run that ended: the proof of who ended it.
import { type Evidence, saw } from '../../domain/task/evidence.ts'
import type { Core, Watch } from '../task/core.ts'
import type { Observation } from '../watching/decide.ts'

/**
 * `none`: it works without one. `stays`: it was there when the agent ended. `closed`: it is gone, and the server that
 * held it lives: a person closed it. `server_died`: it went with its server. `cut_off`: the agent lost it, though its pane
 * is there: the shell around it was killed. `unknown`: tmux cannot be asked.
 */
export type TerminalEnd = 'none' | 'stays' | 'closed' | 'server_died' | 'cut_off' | 'unknown'

type Seen = Pick<Observation, 'start' | 'exit'>

export async function howTerminalEnded(
  { task, run }: Watch,
  seen: Seen,
  core: Pick<Core, 'terminal'>,
): Promise<TerminalEnd> {
  if (task.mode !== 'interactive') return 'none'
  if (seen.exit?.hangup === false) return 'stays'
  // Asked first: what is said of the server afterwards then holds for the answer, too.
  const isShown = await hasPane(run.id, core)
  const server = serverOf(seen, core)
  if (server === 'another') return 'server_died'
  if (server === 'the_same' && isShown === false) return 'closed'
  if (isShown !== true) return 'unknown'
  return seen.exit?.hangup === true ? 'cut_off' : 'stays'
}

/** A dead agent's pane stays; one that a person closed does not. Undefined when tmux cannot be asked. */
async function hasPane(runId: string, { terminal }: Pick<Core, 'terminal'>): Promise<boolean | undefined> {
  if (terminal.health() !== 'up') return undefined
  return terminal.panes().then(
    (panes) => panes.some(({ mark }) => mark === runId),
    () => undefined,
  )
}

/** One that is younger than the agent did not hold its terminal. */
function serverOf({ start }: Seen, { terminal }: Pick<Core, 'terminal'>): 'the_same' | 'another' | 'unknown' {
  const server = terminal.server()
  if (server === undefined) return terminal.health() === 'hung' ? 'unknown' : 'another'
  if (start === undefined) return 'unknown'
  return server.startTicks > start.startTicks ? 'another' : 'the_same'
}

const FACTS: Readonly<Record<TerminalEnd, string | null>> = {
  none: null,
  stays: null,
  closed: 'its pane is gone, but the tmux server that held it still runs',
  server_died: 'the tmux server that held its terminal is gone',
  cut_off: 'it was cut off from its terminal, but the pane is still there',
  unknown: 'tmux could not be asked about its terminal',
}

export const terminalEvidence = (fate: TerminalEnd): Evidence[] => {
  const fact = FACTS[fate]
  return fact === null ? [] : [saw('tmux', fact)]
}
