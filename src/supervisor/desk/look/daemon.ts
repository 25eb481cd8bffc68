// Owns what can be seen of the whole installation: tmux, the disk, and how many tasks may work at once.

import type { TerminalHealth } from '../../../ports/run/terminal.ts'
import type { Queue } from '../../../ports/store/queue.ts'
import type { Reads, Store } from '../../../ports/store/store.ts'
import { type FoundAgent, foundAgents } from '../../starting/found-agents.ts'
import type { Core } from '../../task/core.ts'
import { diskOfAll } from '../../upkeep/disk-quota.ts'
import { type OutageSeen, outageSeen } from './outage.ts'

export const daemonDesk = (
  core: Pick<Core, 'config' | 'terminal' | 'upkeep' | 'agents' | 'places' | 'waiters'> &
    Reads<Queue & Pick<Store, 'checkWrites' | 'nodeId' | 'epoch'>>,
) => ({
  maxConcurrent: core.config.maxConcurrent,
  tmuxHealth: (): TerminalHealth => core.terminal.health(),
  /** What is wrong with tmux, and which tasks wait for it; null while tmux works. */
  outage: (): Promise<OutageSeen | null> => outageSeen(core),
  /** Why tmux does not work, in plain words; null while it works. */
  whyNoTmux: (): string | null => core.terminal.outage()?.why ?? null,
  /** Throws what keeps the store from being written now. */
  checkStore: (): Promise<void> => core.store.checkWrites(),
  /** Starts tmux without waiting for the next try. */
  tryTmux: (): Promise<void> => core.terminal.tryNow(),
  /** The disk space of all tasks, as far as it was measured. `warning` is null while it is within the limit. */
  disk: () => diskOfAll(core),
  /** How many requests wait for news. */
  waiters: (): number => core.waiters.size,
  /** The agent kinds, found or not; `env` is where they would be started. */
  agents: (env: Readonly<Record<string, string | undefined>>): Promise<FoundAgent[]> =>
    foundAgents(env, core),
})
