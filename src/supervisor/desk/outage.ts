// Owns who waits in a time without tmux.
import type { TaskSummary } from '../../domain/task/task.ts'
import type { Queue, Reads } from '../../ports/store.ts'
import type { Outage } from '../../ports/terminal.ts'
import type { Core } from '../task/core.ts'

const MOST_LOOKED_AT = 1000

/** `waiting`: ids of the tasks that start when tmux works again. */
export type OutageSeen = Outage & { readonly waiting: readonly string[] }

/** Only one that has its turn in the queue, and would have it in a terminal. */
export const waitsForTmux = (
  { status, mode }: Pick<TaskSummary, 'status' | 'mode'>,
  { terminal }: Pick<Core, 'terminal'>,
) => status === 'pending' && mode === 'interactive' && terminal.outage() !== null

/** Ids of all that wait so; without an outage nothing is read. */
export async function waitingForTmux(core: Pick<Core, 'terminal'> & Reads<Queue>): Promise<string[]> {
  if (core.terminal.outage() === null) return []
  const queued = await core.store.queue(MOST_LOOKED_AT)
  return queued.filter((task) => waitsForTmux(task, core)).map(({ id }) => id)
}

export async function outageSeen(core: Pick<Core, 'terminal'> & Reads<Queue>): Promise<OutageSeen | null> {
  const waiting = await waitingForTmux(core)
  const outage = core.terminal.outage()
  return outage === null ? null : { ...outage, waiting }
}
