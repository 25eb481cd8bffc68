// Owns what can be seen of the whole installation: tmux, the disk, and how many tasks may work at once.

import type { Queue, Reads } from '../../ports/store.ts'
import type { TerminalHealth } from '../../ports/terminal.ts'
import type { Core } from '../task/core.ts'
import { diskOfAll } from '../upkeep/disk-quota.ts'
import { type OutageSeen, outageSeen } from './outage.ts'

export const daemonDesk = (
  core: Pick<Core, 'config' | 'terminal' | 'upkeep' | 'agents' | 'places'> & Reads<Queue>,
) => ({
  maxConcurrent: core.config.maxConcurrent,
  tmuxHealth: (): TerminalHealth => core.terminal.health(),
  /** What is wrong with tmux, and which tasks wait for it; null while tmux works. */
  outage: (): Promise<OutageSeen | null> => outageSeen(core),
  /** Why tmux does not work, in plain words; null while it works. */
  whyNoTmux: (): string | null => core.terminal.outage()?.why ?? null,
  /** Starts tmux without waiting for the next try. */
  tryTmux: (): Promise<void> => core.terminal.tryNow(),
  /** The disk space of all tasks, as far as it was measured. `warning` is null while it is within the limit. */
  disk: () => diskOfAll(core),
  /** The agent kinds, and where their programs are on this PATH. One that comes with Holdfast has no path. */
  agents: (path: string): Promise<AgentFound[]> =>
    Promise.all(
      core.agents.map(async ({ kind, program }) => {
        if (program === null) return { kind, path: null, found: true }
        const place = (await core.places.findProgram(program.name, path)) ?? null
        return { kind, path: place, found: place !== null }
      }),
    ),
})

type AgentFound = { readonly kind: string; readonly path: string | null; readonly found: boolean }
