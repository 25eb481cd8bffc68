// Owns what is told of a time without tmux: why, until when, and who waits for it.
import { iso } from '../../domain/task/session-record.ts'
import type { TaskSummary } from '../../domain/task/task.ts'
import type { TmuxOutageJson } from '../../protocol/api.ts'
import type { Core } from '../../supervisor/task/core.ts'

const MOST_LOOKED_AT = 1000

/** Only one that has its turn in the queue, and would have it in a terminal. */
export const waitsForTmux = ({ status, mode }: Pick<TaskSummary, 'status' | 'mode'>, { terminal }: Core) =>
  status === 'pending' && mode === 'interactive' && terminal.outage() !== null

/** Ids of all that wait so; without an outage nothing is read. */
export async function waitingForTmux(core: Core): Promise<string[]> {
  if (core.terminal.outage() === null) return []
  const queued = await core.store.queue(MOST_LOOKED_AT)
  return queued.filter((task) => waitsForTmux(task, core)).map(({ id }) => id)
}

export async function outageJson(core: Core): Promise<TmuxOutageJson | null> {
  const waiting = await waitingForTmux(core)
  const outage = core.terminal.outage()
  if (outage === null) return null
  const { health, why, since, pid, retryAt } = outage
  return {
    state: health,
    why,
    since: iso(since),
    pid,
    retry_at: retryAt === null ? null : iso(retryAt),
    waiting,
  }
}
