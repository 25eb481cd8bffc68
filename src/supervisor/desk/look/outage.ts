// Owns which tasks wait because tmux does not work.
import type { TaskSummary } from '../../../domain/task/task.ts'
import type { Outage } from '../../../ports/run/terminal.ts'
import type { Queue } from '../../../ports/store/queue.ts'
import type { OwnNode, Reads } from '../../../ports/store/store.ts'
import type { Core } from '../../task/core.ts'

const MOST_LOOKED_AT = 1000

/** `waiting`: ids of the tasks that start when tmux works again. */
export type OutageSeen = Outage & { readonly waiting: readonly string[] }

/** True for a queued task of this node that needs a terminal, while tmux does not work. */
export const waitsForTmux = (
  { status, mode, nodeId }: Pick<TaskSummary, 'status' | 'mode' | 'nodeId'>,
  { terminal, store }: Pick<Core, 'terminal'> & Reads<OwnNode>,
) => status === 'pending' && mode === 'interactive' && nodeId === store.nodeId && terminal.outage() !== null

/** Ids of all queued tasks that wait for tmux. The store is read only during an outage. */
export async function waitingForTmux(
  core: Pick<Core, 'terminal'> & Reads<Queue & OwnNode>,
): Promise<string[]> {
  if (core.terminal.outage() === null) return []
  const queued = await core.store.queue(MOST_LOOKED_AT)
  return queued.filter((task) => waitsForTmux(task, core)).map(({ id }) => id)
}

export async function outageSeen(
  core: Pick<Core, 'terminal'> & Reads<Queue & OwnNode>,
): Promise<OutageSeen | null> {
  const waiting = await waitingForTmux(core)
  const outage = core.terminal.outage()
  return outage === null ? null : { ...outage, waiting }
}
