// Owns waiting for tasks, whatever happens: the daemon may die, be restarted or be stopped meanwhile.
import type { MonitorAskJson, MonitorLookJson } from '../../protocol/json/monitor-json.ts'
import { isConnectionError } from '../wire/daemon-error.ts'
import { type Following, waitForDaemon } from './follow.ts'

/** How long one request to the daemon stays open at most. */
const LOOK_EVERY_SECONDS = 30

export type Waiting = {
  readonly ask: Omit<MonitorAskJson, 'seen' | 'wait_seconds'>
  /** Null: without a limit. */
  readonly timeoutMs: number | null
  readonly maxPolls: number
  /** Called with every answer of the daemon that does not end the waiting. */
  readonly onLook: (look: MonitorLookJson) => void
}

/** The last answer of the daemon, and whether the waiting ended by its timeout or by the number of polls. */
export type Waited = { readonly look: MonitorLookJson; readonly gaveUp: 'timeout' | 'polls' | null }

export async function waitForTasks(waiting: Waiting, context: Following): Promise<Waited> {
  const { ask, timeoutMs, maxPolls, onLook } = waiting
  const deadline = timeoutMs === null ? Number.POSITIVE_INFINITY : performance.now() + timeoutMs
  let look: MonitorLookJson | undefined
  for (let polls = 0, daemon = context.daemon(); ; ) {
    try {
      look = await daemon.call('POST /api/monitor', { body: { ...ask, ...continuedFrom(look, deadline) } })
      if (look.over) return { look, gaveUp: null }
      onLook(look)
      if (++polls >= maxPolls) return { look, gaveUp: 'polls' }
      // From here on, a daemon that a person stopped is not started again.
      daemon = context.runningDaemon()
    } catch (error) {
      if (!isConnectionError(error) || (look === undefined && isPast(deadline))) throw error
      await waitForDaemon(context, deadline)
      daemon = context.daemon()
    }
    if (look !== undefined && isPast(deadline)) return { look, gaveUp: 'timeout' }
  }
}

/** Continues from the last answer; with whole ids, because a part of an id may also fit a newer session. */
function continuedFrom(look: MonitorLookJson | undefined, deadline: number) {
  const left = Math.max(0, deadline - performance.now()) / 1000
  const wait_seconds = Math.min(LOOK_EVERY_SECONDS, left)
  if (look === undefined) return { wait_seconds }
  return { wait_seconds, seen: look.seen, ids: look.tasks.map(({ session_id }) => session_id) }
}

const isPast = (deadline: number) => performance.now() >= deadline
