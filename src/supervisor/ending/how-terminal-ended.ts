// Owns what became of the terminal of a run that ended. This shows who ended the run.
import { type Evidence, saw } from '../../domain/task/evidence.ts'
import type { Core, Watch } from '../task/core.ts'
import type { Observation } from '../watching/decide.ts'

/**
 * `none`: the run had no terminal. `stays`: the terminal was there when the agent ended. `closed`: a person closed it: it
 * is gone, but its tmux server lives. `server_died`: it ended with its tmux server. `cut_off`: the agent lost it though
 * its pane is there: the shell between them was killed. `unknown`: tmux cannot be asked.
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
  // Panes are asked for before the server: a server that died meanwhile is then noticed, and its missing pane is not taken for closed.
  const isShown = await hasPane(run.id, core)
  const server = serverOf(seen, core)
  if (server === 'another') return 'server_died'
  if (server === 'the_same' && isShown === false) return 'closed'
  if (isShown !== true) return 'unknown'
  return seen.exit?.hangup === true ? 'cut_off' : 'stays'
}

/** The pane of a dead agent stays until a person closes it. Undefined when tmux cannot be asked. */
async function hasPane(runId: string, { terminal }: Pick<Core, 'terminal'>): Promise<boolean | undefined> {
  if (terminal.health() !== 'up') return undefined
  return terminal.panes().then(
    (panes) => panes.some(({ mark }) => mark === runId),
    () => undefined,
  )
}

/** Whether the tmux server of now held the agent's terminal. A server that started after the agent did not. */
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

export const terminalEvidence = (terminalEnd: TerminalEnd): Evidence[] => {
  const fact = FACTS[terminalEnd]
  return fact === null ? [] : [saw('tmux', fact)]
}
